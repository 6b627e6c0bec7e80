/** A kept refusal, explained: the rule, the values received and expected, and what to do. */
import { isId, timeOfId } from '../model/ids.ts'
import type { KeptRefusal, ReceivedValue, RefusalKeeper } from '../model/kept-refusal.ts'
import { findRule } from '../protocol/rules/index.ts'
import { recordLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'

/** An explanation, as JSON tells it. */
export interface ExplainedRefusal {
  readonly reference: string
  /** Unix seconds. */
  readonly at: number
  readonly kept_until: number
  readonly method: string
  readonly route: string
  readonly status: number
  readonly error: string | null
  readonly error_description: string
  /** The id of the rule. */
  readonly reason: string
  /** Where the rule stands, such as a section of an RFC. */
  readonly rule: string
  /** The values that the rule is about. */
  readonly received: readonly ReceivedValue[]
  readonly expected: readonly string[]
  readonly difference: string | null
  readonly fix: string
  /** All that is kept of the request. */
  readonly request: readonly ReceivedValue[]
  readonly client_id: string | null
}

/** The same for the operator. */
export interface OperatorsExplanation extends ExplainedRefusal {
  /** Whether the client proved to be the one that the request named. */
  readonly client_authenticated: boolean
  readonly owner_id: string | null
  readonly network: string
}

/** For a rule of an extension, whose words are all that is known. */
const unruled = {
  source: 'rule of an extension of this service',
  fix: 'Follow the words of the refusal.',
  about: [],
  expected: null,
  toldAs: null,
} as const

const ruleOf = (reason: string) => findRule(reason) ?? unruled

const receivedOf = (
  about: readonly string[],
  sent: readonly ReceivedValue[],
): readonly ReceivedValue[] => {
  const found = sent.filter(({ name }) => about.includes(name))
  const [first] = about
  return found.length > 0 || first === undefined ? found : [{ name: first, value: 'nothing' }]
}

const expectedOf = (
  { expected, description }: KeptRefusal,
  ofRule: string | null,
): readonly string[] => {
  if (expected.length > 0) return expected
  const said = ofRule ?? description
  return said === '' ? [] : [said]
}

const explain = (kept: KeptRefusal, reason: string): ExplainedRefusal => {
  const rule = ruleOf(reason)
  return {
    reference: kept.reference,
    at: kept.at,
    kept_until: kept.at + recordLimits.refusalSeconds,
    method: kept.method,
    route: kept.route,
    status: kept.status,
    error: kept.code,
    error_description: kept.description,
    reason,
    rule: rule.source,
    received: receivedOf(rule.about, kept.received),
    expected: expectedOf(kept, rule.expected),
    difference: kept.difference,
    fix: rule.fix,
    request: kept.received,
    client_id: kept.clientId,
  }
}

export const explainToOperator = (kept: KeptRefusal): OperatorsExplanation => ({
  ...explain(kept, kept.reason),
  client_authenticated: kept.isClientProven,
  owner_id: kept.ownerId,
  network: kept.network,
})

/** A client learns neither of the credentials of others, nor of users and networks. */
export const explainToClient = (kept: KeptRefusal): ExplainedRefusal => {
  const { toldAs } = ruleOf(kept.reason)
  return explain(kept, toldAs ?? kept.reason)
}

/** Older refusals are neither found nor listed. @param at unix seconds */
export const keptSince = (at: number): number => at - recordLimits.refusalSeconds

/** The refusal of a reference; null if it is not kept. The refusals in the memory of this node are written first. */
export const findKept = async (
  reference: string,
  at: number,
  { store, refusals }: { readonly store: Store; readonly refusals: RefusalKeeper },
): Promise<KeptRefusal | null> => {
  if (!isId(reference)) return null
  // A refusal that cannot be written now is only not found.
  await refusals.flush().catch(() => {})
  return store.findRefusal(reference, keptSince(at))
}

/** Why a reference is not found, with the time that stands in it. */
export const unknownReference = (reference: string): string => {
  if (!isId(reference)) return 'a reference has 26 letters and digits'
  const time = new Date(timeOfId(reference)).toISOString()
  return `no refusal is kept under this reference of ${time}: look for it in the log, as requestId`
}
