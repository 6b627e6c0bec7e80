/** The guard of an API elsewhere, without any framework: requests come in, access or a refusal goes out. */
import { type Answer, answerPublicJson } from '../http/answer.ts'
import { isContextReached } from '../model/session.ts'
import { findMixUp } from '../protocol/kinds.ts'
import { Refusal } from '../protocol/refusal.ts'
import { readTokenHeader } from './bearer.ts'
import { answerChallenge, followScheme, makeOwnMetadataUrl } from './challenge.ts'
import { dpopAlgorithms } from './dpop-proof.ts'
import { guardLimits } from './guard-limits.ts'
import {
  createIntrospect,
  type Introspect,
  type Introspected,
  type RemoteAccess,
} from './introspection.ts'
import { createDiscovery, IssuerFault } from './issuer.ts'
import { createKeyCheck, type GuardedRequest } from './key-check.ts'
import { createOffline, isJwt } from './offline.ts'
import {
  type CompleteOptions,
  createProblemLog,
  fillOptions,
  type Needed,
  type Needs,
  type ProtectOptions,
  parseNeeds,
  type TakeLine,
} from './options.ts'
import { createTargetReader, type RouteWords } from './route-target.ts'

interface Kept {
  readonly said: Introspected
  /** Unix milliseconds. */
  readonly until: number
}

/** Answers about tokens, up to a bound. The oldest answer goes first. */
const createCache = (seconds: number) => {
  const answers = new Map<string, Kept>()
  return {
    find(token: string, at: number): Introspected | null {
      const kept = answers.get(token)
      if (kept === undefined) return null
      if (at < kept.until) return kept.said
      answers.delete(token)
      return null
    },
    /** @param asked when the question was sent: what changed since then is not in the answer */
    keep(token: string, said: Introspected, asked: number): void {
      const { expiresAt } = said.access
      const until = Math.min(asked + seconds * 1000, (expiresAt ?? Number.POSITIVE_INFINITY) * 1000)
      answers.delete(token)
      answers.set(token, { said, until })
      const [oldest] = answers.keys()
      if (answers.size > guardLimits.rememberedTokens && oldest !== undefined) {
        answers.delete(oldest)
      }
    },
  }
}

/**
 * Inactive tokens are not cached. Strangers can make up as many as they like, and would push the
 * others out.
 */
const rememberAnswers = (
  introspect: Introspect,
  { cacheSeconds, clock }: Required<Pick<ProtectOptions, 'cacheSeconds' | 'clock'>>,
): Introspect => {
  const underWay = new Map<string, Promise<Introspected | null>>()
  const cache = createCache(cacheSeconds)

  const ask = async (token: string, target: string, key: string): Promise<Introspected | null> => {
    const asked = clock()
    try {
      const said = await introspect(token, target)
      if (said !== null && cacheSeconds > 0) cache.keep(token, said, asked)
      return said
    } finally {
      underWay.delete(key)
    }
  }

  return async (token, target) => {
    const kept = cache.find(token, clock())
    if (kept !== null) return kept
    // A token holds no space. Each target is a question of its own, so that none is lost.
    const key = `${token} ${target}`
    const question = underWay.get(key) ?? ask(token, target, key)
    underWay.set(key, question)
    return question
  }
}

type Checked = { readonly access: RemoteAccess } | { readonly answer: Answer }

/** No token is accepted without an answer from the issuer (RFC 7662 section 2.3). */
const unavailable = (reason: string): Refusal =>
  new Refusal('temporarily_unavailable', reason, 'access tokens cannot be checked at the moment', {
    headers: { 'Retry-After': '1' },
  })

/** Says once for each audience that a token came for it, and not for this API. */
const createAudienceLog = (resource: string, log: TakeLine): ((found: string) => void) => {
  const told = new Set<string>()
  return (found) => {
    if (told.has(found) || told.size >= guardLimits.audiencesTold) return
    told.add(found)
    log(
      `latchkey/resource: a token for ${found || 'no audience'} came to ${resource}: check the parameter resource of its client, and the option resource`,
    )
  }
}

/** The scope that a route needs, for its challenge. */
const tellScope = ({ permissions }: Needed): { readonly scope?: string } =>
  permissions.length === 0 ? {} : { scope: permissions.join(' ') }

/**
 * Refuses a login that is too old or too weak. All that the route needs of a login is told at once, so
 * that one further login suffices (RFC 9470 section 3).
 */
const refuseLogin = (
  { authenticatedAt, context }: Introspected,
  needed: Needed,
  seconds: number,
): void => {
  const { maxAge, contexts } = needed
  const told = {
    ...tellScope(needed),
    ...(maxAge === null ? {} : { maxAge }),
    acrValues: contexts,
  }
  const code = 'insufficient_user_authentication'
  if (contexts.length > 0 && (context === null || !isContextReached(context, contexts))) {
    throw new Refusal(code, 'login_too_weak', 'the owner has to log in in a stronger way', told)
  }
  if (maxAge === null) return
  if (authenticatedAt === null || seconds - authenticatedAt > maxAge) {
    throw new Refusal(code, 'login_too_old', 'the owner has to log in again', told)
  }
}

/** Refuses what lacks something; the owner could allow more, or log in again. */
const refuseLacking = (said: Introspected, needed: Needed, seconds: number): void => {
  if (!needed.permissions.every((one) => said.access.permissions.includes(one))) {
    throw new Refusal(
      'insufficient_scope',
      'missing_permission',
      'the access token does not allow this',
      tellScope(needed),
    )
  }
  refuseLogin(said, needed, seconds)
}

const invalid = (needed: Needed, reason: string, description: string): Refusal =>
  new Refusal('invalid_token', reason, description, tellScope(needed))

/** The metadata of the resource (RFC 9728 section 3.2). */
const answerMetadata = (
  { resource, issuer }: CompleteOptions,
  supported: readonly string[],
): Answer => {
  const { headers, ...answer } = answerPublicJson({
    resource,
    authorization_servers: [issuer],
    ...(supported.length === 0 ? {} : { scopes_supported: supported }),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
  })
  return { ...answer, headers: { ...headers, 'Access-Control-Allow-Origin': '*' } }
}

/** Finds out what a token allows: by questions to the issuer, or offline. */
const createVerifier = (options: CompleteOptions) => {
  const discovery = createDiscovery(options)
  const ask = createIntrospect(options, discovery)
  const introspect = rememberAnswers(ask, options)
  // The cache may hold an answer from before the revocation.
  const offline = options.offline ? createOffline(options, discovery, ask) : null
  const problems = createProblemLog(options.log)
  return {
    /** @throws Refusal `temporarily_unavailable` */
    async verify(token: string, target: string): Promise<Introspected | null> {
      try {
        const check = offline !== null && isJwt(token) ? offline.verify : introspect
        const said = await check(token, target)
        problems.clear()
        return said
      } catch (fault) {
        if (!(fault instanceof IssuerFault)) throw fault
        problems.report(fault.message)
        throw unavailable(fault.reason)
      }
    },
    /** Stops following the feed of revocations, so that the program can end. */
    close: (): void => offline?.close(),
  }
}

/** @throws TypeError for unusable options */
export const createProtector = (given: ProtectOptions) => {
  const options = fillOptions(given)
  const { resource, clock } = options
  const { verify, close } = createVerifier(options)
  const { hold } = createKeyCheck(resource)
  const tellAudience = createAudienceLog(resource, options.log)
  const pointers = { metadata: makeOwnMetadataUrl(resource), errorUri: null }
  const declared = new Set<string>()

  const readTarget = createTargetReader(options.log)

  const admit = async (
    request: GuardedRequest,
    needed: Needed,
    findTarget: () => Promise<string>,
  ): Promise<RemoteAccess> => {
    const presented = readTokenHeader(request)
    if (presented === null) throw invalid(needed, 'missing_token', 'an access token is needed')
    const { token } = presented
    const said = await verify(token, await findTarget())
    if (said === null) {
      const mistake = findMixUp(token, 'lk_at_')
      const unknown = 'the access token is unknown, expired, revoked or for another resource'
      throw invalid(needed, 'unknown_token', mistake ?? unknown)
    }
    if (!said.audience.includes(resource)) {
      tellAudience(said.audience.join(' '))
      throw invalid(needed, 'other_audience', `the access token is not for ${resource}`)
    }
    const at = Math.floor(clock() / 1000)
    await hold(said.confirmation, presented, request, at)
    refuseLacking(said, needed, at)
    return said.access
  }

  return {
    /** Access, or the answer that refuses the request. */
    async check<Asked>(
      request: GuardedRequest,
      needed: Needed,
      words: RouteWords<Asked>,
      asked: Asked,
    ): Promise<Checked> {
      try {
        return { access: await admit(request, needed, () => readTarget(words, asked)) }
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault
        return { answer: answerChallenge(followScheme(fault, request), pointers) }
      }
    },
    /** Needs of a route that is always there: by default, its permissions become `scopes_supported`. */
    declare(needs: Needs): Needed {
      const needed = parseNeeds(needs)
      for (const permission of needed.permissions) declared.add(permission)
      return needed
    },
    /** The resource's metadata (RFC 9728 section 3.2). */
    metadata(): Answer {
      return answerMetadata(options, options.scopesSupported ?? [...declared].sort())
    },
    /** The path to serve them at. */
    metadataPath: new URL(pointers.metadata).pathname,
    close,
  }
}

/** A guard makes something for each route, and serves the metadata of the resource (RFC 9728). */
export interface RouteGuard<Route, Serve, Asked> {
  (needs: Needs, words?: RouteWords<Asked>): Route
  readonly metadata: Serve
  /** The path to serve them at. */
  readonly metadataPath: string
  /** Ends what an offline guard does in the background. */
  readonly close: () => void
}

/**
 * Opens a guard that makes something for each route.
 *
 * @param ofRoute what a route gets, given the check of its requests. `target` reads `asked`
 * @param serve what serves the metadata
 * @throws TypeError for unusable options
 */
export const guardRoutes = <Route, Serve, Asked>(
  options: ProtectOptions,
  ofRoute: (check: (request: GuardedRequest, asked: Asked) => Promise<Checked>) => Route,
  serve: (metadata: () => Answer) => Serve,
): RouteGuard<Route, Serve, Asked> => {
  const { check, declare, metadata, metadataPath, close } = createProtector(options)
  const guard = (needs: Needs, words: RouteWords<Asked> = {}): Route => {
    const needed = declare(needs)
    return ofRoute((request, asked) => check(request, needed, words, asked))
  }
  return Object.assign(guard, { metadata: serve(metadata), metadataPath, close })
}
