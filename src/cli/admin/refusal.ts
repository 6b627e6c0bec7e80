/** `latchkey explain REFERENCE`: why a request was refused, and what to do about it. */

import type { OperatorsExplanation } from '../../events/explain-refusal.ts'
import type { ReceivedValue } from '../../model/kept-refusal.ts'
import { pathTo } from '../api.ts'
import { paragraphs, renderTime } from '../counts.ts'
import { type JsonRow, renderRows } from '../said.ts'
import type { ApiWork } from '../tree.ts'

const named = ({ name, value }: ReceivedValue): string => `${name} ${value}`

/** A line for each value, the first one behind the title. */
const lines = (title: string, values: readonly string[]): readonly (readonly string[])[] =>
  values.map((value, i) => [i === 0 ? title : '', value])

const render = (refusal: OperatorsExplanation): string => {
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
const explanationOf = (answer: JsonRow): OperatorsExplanation =>
  answer as unknown as OperatorsExplanation

export const explainRefusal: ApiWork = async (api, _flags, [reference = '']) => {
  // People copy a reference in capitals, or with what stands around it.
  const asked = reference.trim().toLowerCase()
  const answer = await api.ask('GET', pathTo('refusals', asked))
  return { json: answer, text: render(explanationOf(answer)) }
}
