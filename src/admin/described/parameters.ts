/** The query parameters of the lists. The lists know no others (`readListQuery`). */
import { limits } from '../../config/limits.ts'
import { eventTypes } from '../../model/event.ts'
import type { DescribedParameter } from './operation.ts'

const oneOf = (words: readonly string[], description: string): DescribedParameter => ({
  description,
  schema: { type: 'string', enum: words },
  example: words[0] ?? '',
})

const text = (description: string, example: string): DescribedParameter => ({
  description,
  schema: { type: 'string' },
  example,
})

const search = {
  search: {
    description: 'what the text begins with',
    schema: { type: 'string', minLength: 1, maxLength: limits.usernameCharacters },
    example: 'p',
  },
}

const time = (description: string): DescribedParameter => ({
  description,
  schema: { type: 'string', pattern: '^(\\d{1,11}|\\d{4}-\\d\\d-\\d\\dT.*)$' },
  example: '2026-11-22T10:00:00Z',
})

const owner = text('the id of an owner', 'alice')
const client = text('the client_id of a client', 'photo-printer')

export const listParameters = {
  clients: {
    ...search,
    by: oneOf(['name', 'client_id'], 'the text that is searched'),
  },
  owners: {
    ...search,
    by: oneOf(['username', 'email', 'name'], 'the text that is searched'),
    role: text('only owners with this role, or with any; not together with search', 'any'),
  },
  resources: search,
  keys: { use: oneOf(['both', 'sealing', 'signing'], 'the use of the keys') },
  authorizations: {
    owner,
    client,
    state: oneOf(['live', 'paused', 'ended'], 'paused: only those; ended: within the last 30 days'),
    order: oneOf(['oldest', 'newest'], 'which comes first'),
  },
  events: {
    before: text('an id: the events before it, the newest first; the same as after', ''),
    owner,
    client,
    type: oneOf(eventTypes, 'the type of the event'),
    actor: text('who acted: a type of actors, or one of them', 'operator:client:latchkey-admin'),
    since: time('not before this time: unix seconds, or RFC 3339'),
    until: time('before this time'),
    order: oneOf(
      ['newest', 'oldest', 'committed'],
      'which comes first; committed: as they became visible, after the next of an earlier answer',
    ),
  },
  refusals: {
    client,
    network: text('a network of an earlier answer', '127.0.0.*'),
    reason: text('the id of a rule', 'wrong_secret'),
    error: text('an error code', 'invalid_client'),
    route: text('a route of an earlier answer', '/token'),
    status: {
      description: 'the status of the answer',
      schema: { type: 'integer', minimum: 300, maximum: 599 },
      example: 400,
    },
    since: time('not before this time: unix seconds, or RFC 3339'),
    until: time('before this time'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, DescribedParameter>>>>

/** Every list takes these. */
export const pageParameters: Readonly<Record<string, DescribedParameter>> = {
  after: text('the next of the page before', ''),
  limit: {
    description: 'how many items a page has at most',
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: limits.pageRows,
      default: limits.pageRowsDefault,
    },
    example: 10,
  },
}
