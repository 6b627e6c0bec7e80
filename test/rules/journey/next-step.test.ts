/** The one decision of an authorization request: login, consent, answer or refusal. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decideStep, type NextStep, type Situation } from '../../../src/journey/next-step.ts'
import type { Authorization } from '../../../src/model/authorization.ts'
import type { Client } from '../../../src/model/client.ts'
import type {
  AuthorizationId,
  ClientId,
  FamilyId,
  OwnerId,
  SessionHandle,
  SessionId,
} from '../../../src/model/ids.ts'
import { makeRequester, mergeApproved } from '../../../src/model/requester.ts'
import type { Permissions } from '../../../src/model/resource.ts'
import {
  type AuthenticationContext,
  deriveContext,
  type Session,
} from '../../../src/model/session.ts'
import { deriveClientSession } from '../../../src/owners/session.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import type { AuthorizationRequest } from '../../../src/requests/authorization-request.ts'
import type { PromptEffect } from '../../../src/requests/prompts.ts'
import { sampleClient } from '../../store/sample.ts'

/** When the request came; every other time is told from here. */
const began = 1_795_262_400
const now = began + 60

const client = sampleClient({
  id: 'printer' as ClientId,
  redirectUris: ['https://app.example/callback'],
  grantTypes: ['authorization_code'],
  requiredScope: [],
  createdAt: began - 1000,
})
const publicClient: Client = { ...client, authenticationMethod: 'none', secretDigest: null }
const strange: Client = { ...client, registeredBy: 'itself' }

const request: AuthorizationRequest = {
  responseType: 'code',
  permissions: ['photos:read'],
  leftOut: [],
  terms: { nonce: 'n-1' },
  challenge: null,
  prompt: [],
  login: { maxAgeSeconds: null, contexts: [], needsContext: false, subjects: null },
}
const prompting = (...prompt: readonly PromptEffect[]) => ({ ...request, prompt })

/** Any application of the device may answer there. */
const onDevice = 'com.app:/callback'

const sessionOf = (id: string, startedAt: number): Session => ({
  id: id as SessionId,
  ownerId: 'alice' as OwnerId,
  startedAt,
  expiresAt: startedAt + 86400,
  handle: `handle-of-${id}` as SessionHandle,
  userAgent: '',
  network: '',
  methods: ['pwd'],
  confirmedAt: startedAt,
  seenAt: startedAt,
})
/** The browser's login at the time of the request, and a later one. */
const earlier = sessionOf('earlier', began - 100)
const later = sessionOf('later', began + 30)

const requester = makeRequester(client, 'https://app.example/callback')
const approvedFor = mergeApproved(null, requester)

const authorizationOf = (
  id: string,
  permissions: Permissions,
  sessionId: SessionId | null = null,
): Authorization => ({
  id: id as AuthorizationId,
  clientId: client.id,
  ownerId: earlier.ownerId,
  parentId: null,
  permissions,
  details: [],
  allowedBy: null,
  duration: sessionId === null ? 'forever' : 'session',
  sessionId,
  expiresAt: null,
  createdAt: began - 500,
  salt: 'salt',
  approvedFor,
  paused: null,
})
const lasting = authorizationOf('lasting', ['contacts:read', 'photos:read'])

/** What an answer passes on: of the request, and of the login. */
const expected = {
  permissions: ['photos:read'],
  audience: [],
  authTime: began - 100,
  methods: ['pwd'],
  session: deriveClientSession(earlier, client),
  confirmation: null,
  nonce: 'n-1',
  details: [],
  exchanged: [],
  claims: null,
  isGrant: false,
}

const decisionOf = (by: Session, authorization: Authorization | null) => ({
  by: by.id,
  authorizationId: authorization?.id ?? null,
  permissions: authorization?.permissions ?? [],
  details: [],
})

type Changes = Omit<Partial<Situation>, 'journey'> & {
  readonly decision?: Situation['journey']['decision']
}

const situation = ({ decision = null, ...changes }: Changes = {}): Situation => ({
  client,
  request,
  requester,
  redirectUri: 'https://app.example/callback',
  session: earlier,
  subject: 'alice',
  reachable: '1',
  standing: [],
  isApproved: false,
  isForOwner: true,
  at: now,
  ...changes,
  journey: {
    id: 'journey' as FamilyId,
    parameters: '',
    startedAt: began,
    sessionAtStart: earlier.id,
    unresolved: false,
    awaitsMail: false,
    pushed: null,
    ending: null,
    decision,
  },
})

/** A step in a word: a refusal by its code, an answer by its authorization. */
const wordOf = (next: NextStep): string => {
  if (next.step === 'refuse') return next.refusal.code
  return next.step === 'answer' ? `answer: ${next.authorization.id}` : next.step
}

const assertSteps = (rows: readonly (readonly [string, Changes, string])[]): void => {
  for (const [name, changes, expected] of rows) {
    it(`${name}: ${expected}`, () => assert.equal(wordOf(decideStep(situation(changes))), expected))
  }
}

describe('who is there', () => {
  assertSteps([
    ['nobody', { session: null }, 'login'],
    ['nobody, whatever was approved', { session: null, standing: [lasting] }, 'login'],
    ['somebody', {}, 'consent'],
    [
      'nobody, to be asked nothing',
      { session: null, request: prompting('no_page') },
      'login_required',
    ],
    ['somebody, to be asked nothing', { request: prompting('no_page') }, 'consent_required'],
  ])
})

describe('a request that ends at our page', () => {
  const ending = (begunBy: SessionId | null, changes: Changes = {}): Situation => {
    const made = situation(changes)
    return {
      ...made,
      journey: { ...made.journey, ending: { page: '/device', begunBy, sealed: '' } },
    }
  }

  it('is shown there after the login, whatever was approved or decided before', () => {
    assert.equal(wordOf(decideStep(ending(null, { session: null }))), 'login')
    assert.equal(wordOf(decideStep(ending(null))), 'begin')
    assert.equal(wordOf(decideStep(ending(null, { standing: [lasting] }))), 'begin')
    const decision = { by: earlier.id, authorizationId: null, permissions: [], details: [] }
    assert.equal(wordOf(decideStep(ending(null, { decision }))), 'begin')
  })

  it('goes on as any other from there', () => {
    const consent = { request: prompting('consent'), standing: [lasting] }
    assert.equal(wordOf(decideStep(ending(earlier.id, consent))), 'consent')
    assert.equal(wordOf(decideStep(ending(later.id, consent))), 'begin')
  })
})

describe('which login is enough', () => {
  const asking = (maxAgeSeconds: number) => ({
    ...request,
    login: { ...request.login, maxAgeSeconds },
  })
  assertSteps([
    [
      'the one from before, where a new one is asked for',
      { request: prompting('log_in') },
      'login',
    ],
    ['a new one', { request: prompting('log_in'), session: later }, 'consent'],
    [
      'one in the very second of the request',
      { request: prompting('log_in'), session: sessionOf('later', began) },
      'consent',
    ],
    [
      // As after a POST from another site, which comes without the cookie (RFC 6265bis).
      'one that the browser had, but kept back at the start',
      { request: prompting('log_in'), session: sessionOf('kept back', began - 1) },
      'login',
    ],
    ['one younger than max_age', { request: asking(161) }, 'consent'],
    ['one as old as max_age', { request: asking(160) }, 'login'],
    ['one older', { request: asking(100) }, 'login'],
    ['a new one, though max_age is 0', { request: asking(0), session: later }, 'consent'],
    [
      'one in this very second but before the request, where max_age is 0',
      { request: asking(0), session: { ...earlier, startedAt: now } },
      'login',
    ],
    [
      'one too old, with nothing to be asked',
      { request: { ...asking(100), prompt: ['no_page'] }, standing: [lasting] },
      'login_required',
    ],
  ])
})

describe('the acr of the login', () => {
  const asking = (contexts: readonly string[], needsContext = false, silent = false) => ({
    ...prompting(...(silent ? (['no_page'] as const) : [])),
    login: { ...request.login, contexts, needsContext },
  })
  const standing = [lasting]
  const strong = (session: Session): Session => ({ ...session, methods: ['pwd', 'otp', 'mfa'] })
  assertSteps([
    ['none is better', { standing, request: asking(['2']) }, 'answer: lasting'],
    ['a better one is there', { standing, request: asking(['2']), reachable: '2' }, 'login'],
    [
      'a better one, but the other is preferred',
      { standing, request: asking(['1', '2']), reachable: '2' },
      'answer: lasting',
    ],
    [
      'a better one, but no page may be shown',
      { standing, request: asking(['2'], false, true), reachable: '2' },
      'answer: lasting',
    ],
    [
      'the owner has just logged in without it',
      { standing, request: asking(['phr']), reachable: 'phr', session: later },
      'answer: lasting',
    ],
    [
      'a higher one is as good',
      { standing, request: asking(['2'], true), session: strong(earlier) },
      'answer: lasting',
    ],
    [
      'an essential one cannot be reached',
      { standing, request: asking(['2'], true) },
      'unmet_authentication_requirements',
    ],
    [
      'nobody knows the essential one',
      { standing, request: asking(['gold'], true), reachable: 'phr' },
      'unmet_authentication_requirements',
    ],
    ['an essential one', { standing, request: asking(['2'], true), reachable: '2' }, 'login'],
    [
      'an essential one, but no page may be shown',
      { standing, request: asking(['2'], true, true), reachable: '2' },
      'login_required',
    ],
    [
      'the owner has just logged in without the essential one',
      { standing, request: asking(['2'], true), reachable: '2', session: later },
      'unmet_authentication_requirements',
    ],
    [
      'one of several essential ones is there, and no page may be shown',
      { standing, request: asking(['2', '1'], true, true), reachable: '2' },
      'answer: lasting',
    ],
  ])
})

describe('the owner whom the client expects', () => {
  const expecting = (subject: string, ...prompt: readonly PromptEffect[]) => ({
    ...prompting(...prompt),
    login: { ...request.login, subjects: [subject] },
  })
  const standing = [lasting]
  assertSteps([
    ['is there', { standing, request: expecting('alice') }, 'answer: lasting'],
    ['somebody else is there', { standing, request: expecting('bob') }, 'login'],
    [
      'somebody else has just logged in',
      { standing, request: expecting('bob'), session: later },
      'login_required',
    ],
    [
      'somebody else, and no page may be shown',
      { standing, request: expecting('bob', 'no_page') },
      'login_required',
    ],
  ])
})

describe('what was approved before', () => {
  const visit = (session: Session) => authorizationOf('visit', ['photos:read'], session.id)
  const narrow = authorizationOf('narrow', ['contacts:read'])
  assertSteps([
    ['all that is asked', { standing: [lasting] }, 'answer: lasting'],
    ['all of it, by one of several', { standing: [narrow, lasting] }, 'answer: lasting'],
    ['something else', { standing: [narrow] }, 'consent'],
    [
      'a part only',
      {
        standing: [lasting],
        request: { ...request, permissions: ['photos:read', 'photos:write'] },
      },
      'consent',
    ],
    [
      'two parts, in two approvals',
      {
        standing: [narrow, authorizationOf('other', ['photos:read'])],
        request: { ...request, permissions: ['contacts:read', 'photos:read'] },
      },
      'consent',
    ],
    ['for this visit', { standing: [visit(earlier)] }, 'answer: visit'],
    ['for another visit', { standing: [visit(later)] }, 'consent'],
    ['but consent is asked for', { standing: [lasting], request: prompting('consent') }, 'consent'],
    [
      'and nothing may be asked',
      { standing: [lasting], request: prompting('no_page') },
      'answer: lasting',
    ],
    // RFC 8252 section 8.6
    [
      'for a public client, at an https redirect URI',
      { standing: [lasting], client: publicClient },
      'answer: lasting',
    ],
    [
      'for a public client on a device',
      { standing: [lasting], client: publicClient, redirectUri: onDevice },
      'consent',
    ],
    [
      'for a public client on a device, and nothing may be asked',
      {
        standing: [lasting],
        client: publicClient,
        redirectUri: onDevice,
        request: prompting('no_page'),
      },
      'interaction_required',
    ],
    [
      'for a confidential client on a device',
      { standing: [lasting], redirectUri: onDevice },
      'answer: lasting',
    ],
  ])

  it('is answered with what is asked, not with all that was approved', () => {
    const next = decideStep(situation({ standing: [lasting] }))
    assert.deepEqual(next, {
      step: 'answer',
      request,
      authorization: lasting,
      terms: expected,
    })
  })
})

describe('what was decided on the consent page', () => {
  const approved = decisionOf(earlier, lasting)
  assertSteps([
    ['allowed', { decision: approved, standing: [lasting] }, 'answer: lasting'],
    ['denied', { decision: decisionOf(earlier, null) }, 'access_denied'],
    [
      'denied, though approved before',
      { decision: decisionOf(earlier, null), standing: [lasting] },
      'access_denied',
    ],
    [
      'allowed, where consent was asked for',
      { decision: approved, standing: [lasting], request: prompting('consent') },
      'answer: lasting',
    ],
    [
      'allowed, for a public client on a device',
      { decision: approved, standing: [lasting], client: publicClient, redirectUri: onDevice },
      'answer: lasting',
    ],
    ['allowed, and taken back since', { decision: approved }, 'consent'],
    [
      'allowed in another login',
      {
        decision: approved,
        standing: [lasting],
        session: later,
        client: publicClient,
        redirectUri: onDevice,
      },
      'consent',
    ],
    ['denied in another login', { decision: decisionOf(earlier, null), session: later }, 'consent'],
    [
      'allowed, but nobody is there any more',
      { decision: approved, standing: [lasting], session: null },
      'login',
    ],
    [
      'allowed in a login that is not enough',
      { decision: approved, standing: [lasting], request: prompting('log_in') },
      'login',
    ],
  ])

  it('is answered with what was ticked and still stands', () => {
    const narrowed = { ...lasting, permissions: ['photos:read'] } as const
    const next = decideStep(situation({ decision: approved, standing: [narrowed] }))
    assert.deepEqual(next, {
      step: 'answer',
      request,
      authorization: narrowed,
      terms: expected,
    })
  })
})

describe('A-17: a request that is refused', () => {
  const refusal = new Refusal('invalid_scope', 'unknown_scope', 'no such scope')
  const nobody = { session: null }
  const silent = { request: prompting('no_page') }
  const atLoopback = { client: strange, redirectUri: 'http://127.0.0.1:6749/callback' }
  const brought: Client = {
    ...strange,
    document: { etag: null, fetchedAt: began, freshUntil: now, usableUntil: now },
  }
  const rows: readonly (readonly [string, Changes, 'client' | 'page'])[] = [
    ['of the operator’s client', {}, 'client'],
    ['of the operator’s client, with nobody there', nobody, 'client'],
    ['at loopback', atLoopback, 'client'],
    ['at loopback, with nobody there', { ...atLoopback, ...nobody }, 'client'],
    ['of a client that brought itself', { client: strange }, 'page'],
    ['the same, approved by others alone', { client: strange, isApproved: true }, 'page'],
    ['the same, approved by this owner', { client: strange, standing: [lasting] }, 'client'],
    ['the same, with nobody there', { client: strange, ...nobody }, 'page'],
    [
      'the same, with nobody there, approved by somebody',
      { client: strange, ...nobody, isApproved: true },
      'page',
    ],
  ]
  for (const [name, changes, to] of rows) {
    it(`${name}: ${to}`, () => {
      const next = decideStep(situation({ ...changes, request: refusal }))
      assert.deepEqual(next, { step: 'refuse', refusal, to })
    })
  }

  const silently: readonly (readonly [string, Changes, string, 'client' | 'page'])[] = [
    ['nobody there, https', { client: strange, ...nobody }, 'login_required', 'client'],
    ['nobody there, loopback', { ...atLoopback, ...nobody }, 'login_required', 'client'],
    [
      'nobody there, an application',
      { client: strange, redirectUri: onDevice, ...nobody },
      'login_required',
      'page',
    ],
    [
      'nobody there, an application that somebody approved',
      { client: strange, redirectUri: onDevice, ...nobody, isApproved: true },
      'login_required',
      'client',
    ],
    ['nobody there, a document', { client: brought, ...nobody }, 'login_required', 'page'],
    [
      'nobody there, a document that somebody approved',
      { client: brought, ...nobody, isApproved: true },
      'login_required',
      'client',
    ],
    ['somebody there', { client: strange }, 'consent_required', 'page'],
    [
      'somebody there who approved other things',
      { client: strange, standing: [authorizationOf('other', ['contacts:read'])] },
      'consent_required',
      'client',
    ],
  ]
  for (const [name, changes, code, to] of silently) {
    it(`prompt=none, ${name}: ${code} to the ${to}`, () => {
      const next = decideStep(situation({ ...changes, ...silent }))
      assert.equal(wordOf(next), code)
      assert.equal(next.step === 'refuse' && next.to, to)
    })
  }
})

describe('whatever the situation', () => {
  const permissions = fc.subarray(['contacts:read', 'photos:read', 'photos:write'] as const)
  const sessions = fc.constantFrom(earlier, later, sessionOf('kept back', began - 1))
  const approvals = fc
    .record({
      id: fc.constantFrom('a', 'b', 'c'),
      permissions,
      sessionId: fc.constantFrom(null, earlier.id, later.id),
    })
    .map(({ id, sessionId, ...has }) => authorizationOf(id, has.permissions, sessionId))
  const situations = fc
    .record({
      client: fc.constantFrom(client, publicClient, strange),
      request: fc.record({
        responseType: fc.constant('code'),
        permissions,
        leftOut: fc.constant([]),
        terms: fc.constant({}),
        challenge: fc.constant(null),
        prompt: fc.oneof(
          fc.constant<PromptEffect[]>(['no_page']),
          fc.subarray<PromptEffect>(['log_in', 'consent']),
        ),
        login: fc.record({
          maxAgeSeconds: fc.constantFrom(null, 0, 50, 1000),
          contexts: fc.subarray(['1', '2', 'phr', 'other']),
          needsContext: fc.boolean(),
          subjects: fc.constantFrom(null, ['alice'], ['bob'], []),
        }),
      }),
      session: fc.option(sessions, { nil: null }),
      redirectUri: fc.constantFrom('https://app.example/callback', onDevice),
      reachable: fc.constantFrom<AuthenticationContext>('1', '2', 'phr'),
      standing: fc.uniqueArray(approvals, { selector: ({ id }) => id, maxLength: 3 }),
      decision: fc.option(
        fc.record({
          by: sessions.map(({ id }) => id),
          authorizationId: fc.constantFrom(null, 'a' as AuthorizationId, 'c' as AuthorizationId),
          permissions,
          details: fc.constant([]),
        }),
        { nil: null },
      ),
    })
    .map((changes) => ({ ...situation(changes), request: changes.request }))

  const check = (holds: (of: Parameters<typeof isDecided>[0], next: NextStep) => boolean): void =>
    fc.assert(
      fc.property(situations, (of) => holds(of, decideStep(of))),
      { numRuns: 3000 },
    )

  const isDecided = ({ journey, session }: Situation & { request: AuthorizationRequest }) =>
    journey.decision !== null && journey.decision.by === session?.id

  it('nobody is answered for who is not there', () => {
    check(({ session }, { step }) => session !== null || step === 'login' || step === 'refuse')
  })

  it('no more is answered than was approved, and that stands', () => {
    check(({ standing }, next) => {
      if (next.step !== 'answer') return true
      const { authorization } = next
      return (
        standing.includes(authorization) &&
        next.terms.permissions.every((permission) => authorization.permissions.includes(permission))
      )
    })
  })

  it('nothing is asked where nothing may be', () => {
    check(
      ({ request: { prompt } }, { step }) =>
        !prompt.includes('no_page') || step === 'answer' || step === 'refuse',
    )
  })

  it('where a new login is asked for, an old one gets no further', () => {
    check(
      ({ request: { prompt }, session }, { step }) =>
        !prompt.includes('log_in') || session?.id === later.id || step === 'login',
    )
  })

  it('only an expected owner is answered for', () => {
    check(({ request: { login }, session }, { step }) => {
      const isExpected = login.subjects?.includes(session?.ownerId ?? '') ?? true
      return step !== 'answer' || isExpected
    })
  })

  it('an essential acr is reached wherever there is an answer', () => {
    check(({ request: { login } }, next) => {
      if (next.step !== 'answer' || !login.needsContext || login.contexts.length === 0) return true
      const told = next.terms.claims?.context ?? deriveContext(next.terms)
      return login.contexts.includes(told)
    })
  })

  it('where the owner has to be asked, only a decision of this login is answered', () => {
    check(
      (of, { step }) =>
        step !== 'answer' ||
        isDecided(of) ||
        (!of.request.prompt.includes('consent') &&
          (of.client !== publicClient || of.redirectUri !== onDevice)),
    )
  })

  it('access is denied by none but the owner, in this login', () => {
    check((of, next) => {
      const denied = next.step === 'refuse' && next.refusal.code === 'access_denied'
      return !denied || (isDecided(of) && of.journey.decision?.authorizationId === null)
    })
  })

  it('an approval of another visit answers nothing by itself', () => {
    check((of, next) => {
      if (next.step !== 'answer' || isDecided(of)) return true
      return [null, of.session?.id].includes(next.authorization.sessionId)
    })
  })
})
