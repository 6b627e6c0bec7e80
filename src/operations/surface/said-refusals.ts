/** The words of the command line about refused requests. */
import type { OperatorsExplanation } from '../../events/explain-refusal.ts'
import type { ReceivedValue } from '../../model/kept-refusal.ts'
import { type JsonRow, paragraphs, renderRows, renderTime } from './said.ts'

const named = ({ name, value }: ReceivedValue): string => `${name} ${value}`

/** A line for each value, the first one behind the title. */
const lines = (title: string, values: readonly string[]): readonly (readonly string[])[] =>
  values.map((value, i) => [i === 0 ? title : '', value])

export const renderExplanation = (refusal: OperatorsExplanation): string => {
  const { received, expected, difference, request } = refusal
  const client = refusal.client_id === null ? 'none' : refusal.client_id
  const proven = refusal.client_authenticated ? '' : ' (named, not authenticated)'
  return paragraphs(
    renderRows([
      ['Refused', `${refusal.method} ${refusal.route}, ${renderTime(refusal.at)}`],
      ['Answer', `${refusal.status} ${refusal.error ?? ''} ${refusal.error_description}`.trim()],
      ['Rule', `${refusal.reason}: ${refusal.rule}`],
      ...lines('Received', received.map(named)),
      ...lines('Expected', expected),
      ...lines('Difference', difference === null ? [] : [difference]),
      ['Fix', refusal.fix],
    ]),
    renderRows([
      ['Client', client === 'none' ? client : `${client}${proven}`],
      ...lines('Owner', refusal.owner_id === null ? [] : [refusal.owner_id]),
      ...lines('Network', refusal.network === '' ? [] : [refusal.network]),
      ...lines('Request', request.map(named)),
      ['Kept until', renderTime(refusal.kept_until)],
    ]),
  )
}

/** The members of an answer of this version; another one would have answered otherwise. */
export const explanationOf = (answer: JsonRow): OperatorsExplanation =>
  answer as unknown as OperatorsExplanation

export const refusalCells = (refusal: OperatorsExplanation): readonly string[] => [
  renderTime(refusal.at),
  String(refusal.status),
  `${refusal.method} ${refusal.route}`,
  refusal.reason,
  refusal.client_id ?? '',
  refusal.network,
  refusal.reference,
]
