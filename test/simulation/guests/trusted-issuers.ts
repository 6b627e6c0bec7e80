/** A company opens access for its people (RFC 7523), which the owner ends. The operator trusts it no more. */
import { readAccessToken } from '../../../src/tokens/formats/opaque.ts'
import { accessFormsOn, accessPathsOn } from '../../support/accesses.ts'
import { formsOf } from '../../support/browser.ts'
import { jwtBearerType } from '../../support/issuers.ts'
import { basic } from '../../support/start.ts'
import { administer, deedsOf, done, drawn, oneOf, type Stage } from '../actors.ts'
import type { Actor, Claim, Judge, Outcome } from '../front.ts'
import type { Line } from '../history.ts'
import { type Holding, keep } from '../holdings.ts'
import { simulatedSettings } from '../node.ts'
import { company, notebook } from '../people.ts'
import { requestsOf } from '../requests.ts'
import { describeRefusal, sendSigned, signGrant, spend } from '../signing.ts'
import { type Known, redirectsTo, Visitor } from '../visitor.ts'
import type { Guest } from './guest.ts'

/** Assertions expire in so many seconds: nodes see a later use as too late. */
const assertionSeconds = 60

interface Assertion {
  readonly text: string
  readonly jti: string
}

const nameAccess = (owner: Known): string => `${company.id}/${owner.id}`

const opens: Judge = (answer) => {
  if (answer.status === 200) return { result: 'yes' }
  const said = describeRefusal(answer)
  if (said.includes('has ended this access')) return { result: 'no', error: 'ended' }
  return said.includes('of no issuer that is trusted') ? { result: 'no', error: 'untrusted' } : null
}

const makeAssertion = ({ front }: Stage, owner: Known, by: 'issuer' | 'thief'): Assertion => {
  const jti = `issuer assertion ${front.signed++}`
  const now = Math.floor(front.seconds)
  const times = { iat: now, exp: now + assertionSeconds }
  const claims = { iss: company.issuer, sub: owner.username, aud: simulatedSettings.issuer, jti }
  return { text: signGrant({ ...claims, ...times }, by), jti }
}

const present = (
  { front }: Stage,
  actor: Actor,
  { text, jti }: Assertion,
  about: Claim,
): Promise<Outcome> => {
  const { id, secret } = notebook
  const form = { grant_type: jwtBearerType, assertion: text }
  const headers = { authorization: basic([id, secret ?? '']) }
  const claims = [spend(jti, (status) => status === 200)]
  return sendSigned(front, actor, '/token', { form, headers }, [about], claims, undefined)
}

/** The line of the token that an assertion opened; null for none. */
const open = async (
  stage: Stage,
  actor: Actor,
  owner: Known,
  assertion: Assertion,
): Promise<Holding | null> => {
  const access = nameAccess(owner)
  const claim: Claim = { deed: { kind: 'open', access }, judge: opens }
  const { answer, operations } = await present(stage, actor, assertion, claim)
  const [operation] = operations
  if (answer?.status !== 200 || operation === undefined) return null
  const of = readAccessToken(answer.body.access_token)?.says.of
  if (of === undefined || !('familyId' in of)) throw new Error('what came is no token of an owner')
  const about = { authorization: access, client: notebook.id, owner: owner.id, visit: null }
  const begun = { begins: 'redeemed', issue: operation.id, since: operation.id } as const
  const line: Line = { id: of.familyId, ...about, ...begun }
  stage.front.lines.push(line)
  const held = { access: [], refresh: [], asked: [] }
  const holding: Holding = { line, client: notebook, code: '', codeEnd: null, ...held }
  keep(holding, answer.body)
  stage.holdings.push(holding)
  return holding
}

const end = (visitor: Visitor, owner: Known): Promise<void> => {
  const deed = { kind: 'end authorization', authorization: nameAccess(owner) } as const
  const claims = [{ deed, judge: redirectsTo('/account') }]
  return visitor.visit(
    '/account',
    () => claims,
    async (list, browser) => {
      for (const path of accessPathsOn(list)) {
        const page = await browser.go(path)
        const [form] = accessFormsOn(page)
        if (form === undefined || !page.text.includes('Notebook')) continue
        await browser.submitForm(page, form, { action: 'end' })
        return
      }
    },
  )
}

const allowAgain = (visitor: Visitor, owner: Known): Promise<void> => {
  const path = '/account/issuers'
  const deed = { kind: 'allow again', access: nameAccess(owner) } as const
  const claims = [{ deed, judge: redirectsTo(path) }]
  return visitor.visit(
    path,
    () => claims,
    async (page, browser) => {
      const form = formsOf(page.text).find(({ fields }) => fields.issuer?.[0] === company.id)
      if (form !== undefined) await browser.submitForm(page, form)
    },
  )
}

const companyActor = async (stage: Stage, actor: Actor, owner: Known): Promise<void> => {
  const { front } = stage
  const { chance } = actor
  const visitor = new Visitor(front, actor, owner)
  const requests = requestsOf(front, actor)
  const own: Holding[] = []
  const assertions: Assertion[] = []
  const openBy = async (assertion: Assertion): Promise<void> => {
    const holding = await open(stage, actor, owner, assertion)
    if (holding !== null) own.push(holding)
  }
  const openAnew = (): Promise<void> => {
    const assertion = makeAssertion(stage, owner, 'issuer')
    assertions.push(assertion)
    return openBy(assertion)
  }
  const replay = async (): Promise<void> => {
    const assertion = oneOf(actor, assertions)
    if (assertion !== undefined) await openBy(assertion)
  }
  const steal = (): Promise<unknown> => {
    const claim: Claim = {
      deed: { kind: 'trespass' },
      judge: ({ status }) => ({ result: status === 200 ? 'yes' : 'no' }),
    }
    return present(stage, actor, makeAssertion(stage, owner, 'thief'), claim)
  }
  const use = async (): Promise<void> => {
    for (const holding of own.slice(-2)) {
      const [token] = holding.access
      if (token !== undefined) await requests.get(holding, token, 'a')
    }
  }
  const endIssuer = (): Promise<boolean> => {
    const deed = { kind: 'end issuer', issuer: company.id } as const
    const init = { method: 'DELETE' }
    return administer(stage, actor, `issuers/${company.id}`, init, { deed, judge: done })
  }
  await openAnew()
  for (let deeds = 3 + chance.below(5); deeds > 0; deeds--) {
    await front.scheduler.sleep(stage.think(actor))
    const holding = oneOf(actor, own)
    const ways: [number, () => Promise<unknown>][] = [
      [2, openAnew],
      [2, replay],
      [1, use],
      [1, steal],
      [
        2,
        () => (holding === undefined ? openAnew() : drawn(actor, deedsOf(stage, actor, holding))()),
      ],
      [2, () => end(visitor, owner).then(use).then(openAnew)],
      [1, () => Promise.all([end(visitor, owner), openAnew()])],
      [1, () => allowAgain(visitor, owner).then(openAnew)],
      [0.5, () => endIssuer().then(use).then(openAnew)],
      [0.5, () => Promise.all([endIssuer(), openAnew()])],
    ]
    await drawn(actor, ways)()
  }
}

export const issuerGuest: Guest = {
  name: 'trusted-issuers',
  invite: (stage, chance) => {
    const owner = chance.pick(stage.people)
    return [['company', (actor) => companyActor(stage, actor, owner)]]
  },
}
