/** A till asks an owner who is elsewhere, and polls while the owner decides (OpenID CIBA). */
import { authReqIdPrefix } from '../../../src/features/backchannel/grant.ts'
import { parsePollCode } from '../../../src/tokens/polled-request.ts'
import { requestForms, requestsPath } from '../../support/backchannel.ts'
import { deedsOf, drawn, type Stage } from '../actors.ts'
import type { Actor, Claim, Judge } from '../front.ts'
import type { Line, Operation } from '../history.ts'
import type { Holding } from '../holdings.ts'
import { otherTill, till } from '../people.ts'
import { requestsOf } from '../requests.ts'
import { asked, type Known, Visitor } from '../visitor.ts'
import type { Guest } from './guest.ts'

/** Nodes are ahead by so much at most. */
const aheadSeconds = 10

/** A request to the owner; null where none came to be known. */
const askOwner = async ({ front }: Stage, actor: Actor, owner: Known): Promise<Holding | null> => {
  const lasting = actor.chance.flip(0.5) ? ' offline_access' : ''
  const expiry = actor.chance.flip(0.4) ? { requested_expiry: '10' } : {}
  const form = { login_hint: owner.username, scope: asked.join(' ') + lasting, ...expiry }
  const { answer, operations } = await requestsOf(front, actor).ask('/bc-authorize', till, form)
  const [operation] = operations
  if (answer?.status !== 200 || operation === undefined) return null
  const { auth_req_id: code, expires_in: seconds } = answer.body
  const id = String(parsePollCode(authReqIdPrefix, code)?.id)
  const of = { client: till.id, owner: owner.id, authorization: '', visit: null }
  const line: Line = { id, ...of, issue: operation.id, begins: 'asked' }
  front.lines.push(line)
  const codeEnd = operation.answeredAt + aheadSeconds + seconds
  const codeEndsFrom = operation.invokedAt + seconds
  return { line, client: till, code, codeEnd, codeEndsFrom, asked, access: [], refresh: [] }
}

const decides: Judge = ({ status, headers, text }) => {
  if (status === 303 && (headers.get('location') ?? '').includes(requestsPath)) {
    return { result: 'yes' }
  }
  const isOver = status === 409 && text.includes('That request was decided before')
  return isOver ? { result: 'no' } : null
}

/** The owner presses buttons of one request, in as many tabs. */
const decide = async (
  { front }: Stage,
  visitor: Visitor,
  holding: Holding,
  decisions: readonly ('allow' | 'deny')[],
  ticked: readonly string[],
): Promise<void> => {
  const { line, codeEnd: expiresAt, codeEndsFrom = 0 } = holding
  const { id, client, owner } = line
  const claimsOf = (_: string, form: Readonly<Record<string, unknown>>): readonly Claim[] => {
    const allows = form.decision === 'allow'
    const end = { expiresAt, endsFrom: codeEndsFrom }
    const claim: Claim = { deed: { kind: 'decide', line: id, allows, ...end }, judge: decides }
    const judge: Judge = ({ status }) => (status === 303 ? { result: 'yes' } : { result: 'no' })
    const consent = { kind: 'approve', client, owner, asked, allowed: ticked } as const
    return allows ? [claim, { deed: consent, judge }] : [claim]
  }
  await visitor.visit(requestsPath, claimsOf, async (page, browser) => {
    const form = requestForms(page).find(({ fields }) => fields.request?.[0] === id)
    if (form === undefined) return
    const press = (decision: 'allow' | 'deny') =>
      browser.submitForm(page, form, { decision, permission: ticked })
    const tabs = await Promise.allSettled(decisions.map(press))
    const failed = tabs.find((tab) => tab.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  })
  const decided = front.operations.filter(
    ({ deed }: Operation) => deed.kind === 'decide' && deed.line === id && deed.allows,
  )
  const approval = decided.find(({ result }) => result === 'yes') ?? decided[0]
  if (approval !== undefined) line.issue = approval.id
}

const tillActor = async (stage: Stage, actor: Actor, owner: Known): Promise<void> => {
  const { front, holdings } = stage
  const { chance } = actor
  const requests = requestsOf(front, actor)
  const holding = await askOwner(stage, actor, owner)
  if (holding === null) return
  const poll = async (): Promise<void> => {
    await front.scheduler.sleep(stage.think(actor))
    const polls = chance.flip(0.5) ? 2 : 1
    await Promise.all(Array.from({ length: polls }, () => requests.poll(holding)))
  }
  const come = async (): Promise<void> => {
    await front.scheduler.sleep(stage.think(actor))
    const decisions = chance.pick([
      ['allow'],
      ['allow', 'allow'],
      ['allow', 'deny'],
      ['deny'],
    ] as const)
    const ticked = chance.flip(0.6) ? asked : asked.filter(() => chance.flip(0.5))
    const visitor = new Visitor(front, actor, owner)
    await decide(stage, visitor, holding, decisions, ticked.length === 0 ? ['photos:read'] : ticked)
  }
  const visits = chance.flip(0.3) ? [come(), come()] : [come()]
  await Promise.all([...visits, poll()])
  if (chance.flip(0.3)) await come()
  await requests.pollForeign(holding, otherTill)
  for (let polls = 1 + chance.below(2); polls > 0; polls--) await poll()
  holdings.push(holding)
  for (let deeds = chance.below(3); deeds > 0; deeds--) {
    await front.scheduler.sleep(stage.think(actor))
    await drawn(actor, deedsOf(stage, actor, holding))()
  }
}

export const backchannelGuest: Guest = {
  name: 'backchannel',
  invite: (stage, chance) => {
    const owner = chance.pick(stage.people)
    return [['till', (actor) => tillActor(stage, actor, owner)]]
  },
}
