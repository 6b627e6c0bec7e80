/** A kept refusal, explained: the rule, the values received and expected, and what to do. */
import { isId, timeOfId } from '../model/ids.ts'
import type { KeptRefusal, ReceivedValue } from '../model/kept-refusal.ts'
import { findRule } from '../protocol/rules/index.ts'
import { recordLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'
import type { RefusalKeeper } from './refusal-keeper.ts'

/** For a rule of an extension, whose words are all that is known. */
const unruled = {
  source: 'rule of an extension of this service',
  fix: 'Follow the words of the refusal.',
  about: [],
  expected: null,
  toldAs: null,
} as const

const getRule = (reason: string) => findRule(reason) ?? unruled

const selectReceived = (
  about: readonly string[],
  sent: readonly ReceivedValue[],
): readonly ReceivedValue[] => {
  const found = sent.filter(({ name }) => about.includes(name))
  const [first] = about
  return found.length > 0 || first === undefined ? found : [{ name: first, value: 'nothing' }]
}

const listExpected = (
  { expected, description }: KeptRefusal,
  ofRule: string | null,
): readonly string[] => {
  if (expected.length > 0) return expected
  const said = ofRule ?? description
  return said === '' ? [] : [said]
}

/** An explanation, as JSON tells it. @param reason the id of the rule */
const explain = (kept: KeptRefusal, reason: string) => {
  const rule = getRule(reason)
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
    /** Where the rule stands, such as a section of an RFC. */
    rule: rule.source,
    /** The values that the rule is about; `request` has all that is kept. */
    received: selectReceived(rule.about, kept.received),
    expected: listExpected(kept, rule.expected),
    difference: kept.difference,
    fix: rule.fix,
    request: kept.received,
    client_id: kept.clientId as string | null,
  }
}

export const explainToOperator = (kept: KeptRefusal) => ({
  ...explain(kept, kept.reason),
  /** Whether the client proved to be the one that the request named. */
  client_authenticated: kept.isClientProven,
  owner_id: kept.ownerId as string | null,
  network: kept.network,
})

export type OperatorsExplanation = ReturnType<typeof explainToOperator>

/** A client learns neither of the credentials of others, nor of users and networks. */
export const explainToClient = (kept: KeptRefusal) => {
  const { toldAs } = getRule(kept.reason)
  return explain(kept, toldAs ?? kept.reason)
}

/** Older refusals are neither found nor listed. @param at unix seconds */
export const getKeptSince = (at: number): number => at - recordLimits.refusalSeconds

/** The refusal of a reference; null if it is not kept. The refusals in the memory of this node are written first. */
export const findKept = async (
  reference: string,
  at: number,
  { store, refusals }: { readonly store: Store; readonly refusals: RefusalKeeper },
): Promise<KeptRefusal | null> => {
  if (!isId(reference)) return null
  // A refusal that cannot be written now is only not found.
  await refusals.flush().catch(() => {})
  return store.findRefusal(reference, getKeptSince(at))
}

/** Why a reference is not found, with the time that stands in it. */
export const explainReference = (reference: string): string => {
  if (!isId(reference)) return 'a reference has 26 letters and digits'
  const time = new Date(timeOfId(reference)).toISOString()
  return `no refusal is kept under this reference of ${time}: look for it in the log, as requestId`
}
