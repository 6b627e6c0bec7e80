/** `latchkey explain REFERENCE` and `refusal list`: why requests were refused, and what to do about it. */

import type { OperatorsExplanation } from '../../events/explain-refusal.ts'
import type { ReceivedValue } from '../../model/kept-refusal.ts'
import { pathTo } from '../api.ts'
import { paragraphs, renderTime } from '../counts.ts'
import { type JsonRow, renderRows } from '../said.ts'
import type { ApiWork } from '../tree.ts'
import { spanOf, textOf } from './event.ts'

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

const head = ['time', 'status', 'request', 'rule', 'client', 'network', 'reference']

const cells = (refusal: OperatorsExplanation): readonly string[] => [
  renderTime(refusal.at),
  String(refusal.status),
  `${refusal.method} ${refusal.route}`,
  refusal.reason,
  refusal.client_id ?? '',
  refusal.network,
  refusal.reference,
]

export const listRefusals: ApiWork = async (api, flags) => {
  const { client, reason, error, network, route, status } = flags
  const query = { client, reason, error, network, route, status }
  const asked = Object.entries(query).map(([name, value]) => [name, textOf(value)] as const)
  const most = Number(flags.limit ?? 50)
  const rows = await api.list('refusals', { ...Object.fromEntries(asked), ...spanOf(flags) }, most)
  const lines = rows.map((row) => cells(explanationOf(row)))
  const text = rows.length === 0 ? 'No such refusal is kept.' : renderRows([head, ...lines])
  return { json: rows, text }
}
