/** Refused requests, explained. */
import {
  explainReference,
  explainToOperator,
  findKept,
  getKeptSince,
  type OperatorsExplanation,
} from '../events/explain-refusal.ts'
import type { ReceivedValue } from '../model/kept-refusal.ts'
import { Refusal, statusOf } from '../protocol/refusal.ts'
import type { Z } from '../protocol/schema.ts'
import {
  client,
  describePage,
  findCursor,
  type ListFilter,
  makeAnswered,
  owner,
  pickPresent,
  span,
} from './lists.ts'
import { defineRow, makeForm, pageOf } from './operation.ts'
import { sinceFlag, untilFlag } from './surface/cli.ts'
import { type JsonRow, joinTexts, renderRows, renderTime } from './surface/said.ts'

const formatNamed = ({ name, value }: ReceivedValue): string => `${name} ${value}`

/** A line for each value, the first one behind the title. */
const formatLines = (title: string, values: readonly string[]): readonly (readonly string[])[] =>
  values.map((value, i) => [i === 0 ? title : '', value])

const renderExplanation = (refusal: OperatorsExplanation): string => {
  const { received, expected, difference, request } = refusal
  const client = refusal.client_id === null ? 'none' : refusal.client_id
  const proven = refusal.client_authenticated ? '' : ' (named, not authenticated)'
  return joinTexts(
    renderRows([
      ['Refused', `${refusal.method} ${refusal.route}, ${renderTime(refusal.at)}`],
      ['Answer', `${refusal.status} ${refusal.error ?? ''} ${refusal.error_description}`.trim()],
      ['Rule', `${refusal.reason}: ${refusal.rule}`],
      ...formatLines('Received', received.map(formatNamed)),
      ...formatLines('Expected', expected),
      ...formatLines('Difference', difference === null ? [] : [difference]),
      ['Fix', refusal.fix],
    ]),
    renderRows([
      ['Client', client === 'none' ? client : `${client}${proven}`],
      ...formatLines('Owner', refusal.owner_id === null ? [] : [refusal.owner_id]),
      ...formatLines('Network', refusal.network === '' ? [] : [refusal.network]),
      ...formatLines('Request', request.map(formatNamed)),
      ['Kept until', renderTime(refusal.kept_until)],
    ]),
  )
}

/** The members of an answer of this version; another one would have answered otherwise. */
const readExplanation = (answer: JsonRow): OperatorsExplanation =>
  answer as unknown as OperatorsExplanation

const formatRefusalCells = (refusal: OperatorsExplanation): readonly string[] => [
  renderTime(refusal.at),
  String(refusal.status),
  `${refusal.method} ${refusal.route}`,
  refusal.reason,
  refusal.client_id ?? '',
  refusal.owner_id ?? '',
  refusal.network,
  refusal.reference,
]

const defineValue = (z: Z) => z.strictObject({ name: z.string(), value: z.string() })

const refusalForm = makeForm('Refusal', (z) =>
  z.strictObject({
    reference: z.string(),
    at: z.int().describe('unix seconds'),
    kept_until: z.int(),
    method: z.string(),
    route: z.string(),
    status: z.int(),
    error: z.string().nullable(),
    error_description: z.string(),
    reason: z.string().describe('the id of the rule'),
    rule: z.string().describe('where the rule stands'),
    received: z.array(defineValue(z)).describe('the values that the rule is about'),
    expected: z.array(z.string()),
    difference: z.string().nullable(),
    fix: z.string(),
    request: z.array(defineValue(z)).describe('all that is kept of the request'),
    client_id: z.string().nullable(),
    client_authenticated: z.boolean(),
    owner_id: z.string().nullable(),
    network: z.string(),
  }),
)

const code = makeAnswered('an error code', 'invalid_client', /^[a-z_]{1,60}$/)

const error: ListFilter<string> = {
  ...code,
  parse(given, name) {
    if (code.parse(given, name) in statusOf) return given
    throw new Refusal('invalid_request', 'bad_error', 'error has to be an error code')
  },
}

const status = makeAnswered('the status of the answer', '400', /^[345]\d\d$/)

export const listRefusals = defineRow({
  route: 'GET /admin/api/refusals',
  permission: 'events:read',
  says: 'List the refused requests of the last seven days',
  commands: {
    usage: 'refusal list',
    does: 'list the refusals of seven days, the newest first',
    examples: [
      'latchkey refusal list --client printer --since 24h',
      'latchkey refusal list --owner alice --error invalid_grant --json',
    ],
    flags: [
      ['--owner <username>', 'only of this owner, or of tries at the password or codes'],
      ['--client <id>', 'only of this client'],
      ['--reason <rule>', 'only by this rule, such as unregistered_redirect_uri'],
      ['--error <code>', 'only with this error code, such as invalid_grant'],
      ['--network <network>', "only from this network, such as '192.0.2.*'"],
      ['--route <path>', 'only of this path, such as /token'],
      ['--status <number>', 'only with this status, such as 400'],
      sinceFlag,
      untilFlag,
      ['--limit <number>', 'so many at most (default: 50)'],
    ],
    list: {
      head: ['time', 'status', 'request', 'rule', 'client', 'owner', 'network', 'reference'],
      cells: (row) => formatRefusalCells(readExplanation(row)),
      empty: 'No such refusal is kept.',
      most: 50,
    },
  },
  filters: {
    owner,
    client,
    network: makeAnswered('a network of an earlier answer', '127.0.0.*', /^[0-9a-f.:*]{1,45}$/),
    reason: makeAnswered('the id of a rule', 'wrong_secret', /^[a-z][a-z0-9_]{0,99}$/),
    error,
    route: makeAnswered('a route of an earlier answer', '/token', /^\/[\w/:.-]{0,199}$/),
    status: { ...status, schema: { type: 'integer', minimum: 300, maximum: 599 }, example: 400 },
    ...span,
  },
  answers: { 200: pageOf('RefusalPage', refusalForm.make) },
  async run({ filters, query, limit, exchange: { at } }, { refusals, store }) {
    const { owner: ownerId, client: clientId, error: code, status: text, ...others } = filters
    const status = text === undefined ? undefined : Number(text)
    const of = pickPresent({ ownerId, clientId, code, status, ...others })
    const after = findCursor(query)
    await refusals.flush().catch(() => {})
    const page = await store.listRefusals(of, after, limit, getKeptSince(at))
    return describePage(page, explainToOperator)
  },
})

const readRefusal = defineRow({
  route: 'GET /admin/api/refusals/:reference',
  permission: 'events:read',
  says: 'Explain why a request was refused',
  commands: {
    usage: 'explain <reference>',
    does: 'explain why a request was refused, by the reference in its answer, on its page or in the log',
    examples: ['latchkey explain 01m7yzpf0rrbsjtqm2r32a5wz5'],
    // People copy a reference in capitals, or with what stands around it.
    typed: (reference) => reference.trim().toLowerCase(),
    text: ({ json }) => renderExplanation(readExplanation(json)),
  },
  answers: { 200: refusalForm },
  async run({ exchange: { params, at } }, parts) {
    const { reference = '' } = params
    const kept = await findKept(reference, at, parts)
    if (kept === null) {
      throw new Refusal('not_found', 'unknown_reference', explainReference(reference))
    }
    return explainToOperator(kept)
  },
})

export const refusalOperations = { listRefusals, readRefusal }
