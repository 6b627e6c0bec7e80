/** What owners approved: to be seen, narrowed, paused and ended. */

import { formatScope, listGrantable } from '../access/permission.ts'
import { parseScope, scopeLimits, selectNamed } from '../access/scope.ts'
import type { Exchange } from '../http/exchange.ts'
import { type AuthorizationId, isId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { parseMembers } from '../protocol/members.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { makeSchema, type Z } from '../protocol/schema.ts'
import type { ListedAuthorization } from '../store/contract/authorization.ts'
import type { Trace } from '../store/contract/trace.ts'
import { allow, client, describePage, findCursor, owner, pickPresent } from './lists.ts'
import {
  allowNull,
  defineRow,
  flag,
  makeForm,
  mapAnswer,
  objects,
  pageOf,
  text,
  texts,
  whole,
} from './operation.ts'
import { type AdminNeeds, unknown } from './operator.ts'
import type { CommandRow } from './surface/cli.ts'

/** Only a delegation has the member. */
const makeOptional = (z: Z) => z.string().optional()

const one = mapAnswer<ListedAuthorization>({
  id: [text, 'id'],
  client_id: [text, 'clientId'],
  owner_id: [text, 'ownerId'],
  parent_id: [makeOptional, ({ parentId }) => parentId ?? undefined],
  permissions: [texts, 'permissions'],
  scope: [text, ({ permissions }) => formatScope(permissions)],
  authorization_details: [objects, 'details'],
  // Only where an issuer opened it in place of the owner.
  allowed_by: [
    (z) => z.strictObject({ id: z.string(), issuer: z.string(), title: z.string() }).optional(),
    ({ allowedBy }) => allowedBy ?? undefined,
  ],
  duration: [(z) => z.enum(['session', 'day', 'month', 'forever', 'chosen']), 'duration'],
  created_at: [whole, 'createdAt'],
  expires_at: [allowNull(whole), 'expiresAt'],
  last_used_at: [allowNull(whole), 'lastUsedAt'],
  paused: [flag, ({ paused }) => paused !== null],
  paused_at: [allowNull(whole), ({ paused }) => paused?.at ?? null],
  paused_by: [allowNull(text), ({ paused }) => paused?.by ?? null],
})

const listed = mapAnswer<ListedAuthorization>({
  ...one.members,
  client_name: [text, 'clientName'],
  parent_client_name: [makeOptional, ({ parentClientName: name }) => name ?? undefined],
  username: [text, 'username'],
})

const listedForm = makeForm('ListedAuthorization', (z) => z.strictObject(listed.shape(z)))

const changeForm = makeSchema((z) =>
  z.strictObject({
    permissions: z
      .array(z.string().max(scopeLimits.scopeCharacters))
      .max(parameterLimits.parameters)
      .optional()
      .describe('a list of permissions such as photos:read'),
    scope: z.string().optional().describe('permissions separated by spaces'),
    paused: z.boolean().optional().describe('true or false'),
  }),
)

const path = '/admin/api/authorizations/:id'

const parseId = ({ params }: Pick<Exchange, 'params'>): AuthorizationId => {
  const id = params.id ?? ''
  if (!isId(id)) throw unknown('authorization')
  return id as AuthorizationId
}

const find = async (
  id: AuthorizationId,
  { at }: Pick<Exchange, 'at'>,
  { store }: AdminNeeds,
): Promise<ListedAuthorization> => {
  const [found] = (await store.listAuthorizations({ id }, null, 1, at)).rows
  if (found === undefined) throw unknown('authorization')
  return found
}

/** A narrowing, by the permissions or the scope to be kept, or else a pause or its end. */
const parseChange = (given: Readonly<Record<string, unknown>>) => {
  const asked = parseMembers(changeForm(), given, () => 'invalid_request')
  if (Object.values(asked).filter((value) => value !== undefined).length !== 1) {
    throw new Refusal(
      'invalid_request',
      'bad_narrowing',
      'the body has to hold either what is to be kept, as permissions or as scope, or paused',
    )
  }
  return asked
}

/** What is to be kept, as a list of permissions or written as a scope. */
const parseKept = (
  { permissions, scope }: ReturnType<typeof parseChange>,
  { resources }: AdminNeeds,
): Permissions => {
  const known = listGrantable(resources)
  const names = permissions ?? parseScope(scope ?? '')
  if (names.length === 0 || names.some((name) => selectNamed([name], known).length === 0)) {
    throw new Refusal(
      'invalid_request',
      'unknown_permission',
      `${permissions === undefined ? 'scope' : 'permissions'} has to name at least one permission, and only known ones; DELETE ends the authorization`,
    )
  }
  return selectNamed(names, known)
}

/** Pauses or resumes an application: every access that this owner gave to the client, or one delegation. */
const setPaused = async (
  id: AuthorizationId,
  paused: boolean,
  { at }: Pick<Exchange, 'at'>,
  trace: Trace,
  parts: AdminNeeds,
) => {
  const { ownerId, clientId, parentId } = await find(id, { at }, parts)
  const of = { ownerId, clientId, parentId }
  if (paused) await parts.store.pauseAuthorizations(of, trace)
  else await parts.store.resumeAuthorizations({ ...of, session: null }, trace)
  return one.describe(await find(id, { at }, parts))
}

const exampleId = '01k3abcdefghjkmnpqrstvwxyz'

const makeCommand = (name: string, does: string, more: Partial<CommandRow>): CommandRow => ({
  usage: `authorization ${name} <id>`,
  does,
  examples: [`latchkey authorization ${name} ${exampleId}`],
  ...more,
})

export const listAuthorizations = defineRow({
  route: 'GET /admin/api/authorizations',
  says: 'List what owners approved',
  commands: {
    usage: 'authorization list',
    does: 'list authorizations, the oldest first',
    examples: [
      'latchkey authorization list --owner alice',
      'latchkey authorization list --client printer --state paused --json',
    ],
    flags: [
      ['--owner <username>', 'only of this owner'],
      ['--client <id>', 'only for this client'],
      ['--state <state>', 'live, paused or ended (default: live)'],
      ['--limit <number>', 'so many at most (default: all)'],
    ],
    list: {
      head: ['id', 'username', 'client_id', 'parent_client_name', 'scope', 'duration', 'paused'],
      empty: 'There are no authorizations.',
    },
  },
  filters: {
    owner,
    client,
    state: allow(['live', 'paused', 'ended'], 'paused: only those; ended: within the last 30 days'),
    order: allow(['oldest', 'newest'], 'which comes first'),
  },
  answers: { 200: pageOf('AuthorizationPage', listedForm.make) },
  async run({ filters, query, limit, exchange: { at } }, { store }) {
    const { owner: ownerId, client: clientId, state, order = 'oldest' } = filters
    const of = {
      ...pickPresent({ ownerId, clientId }),
      ...(state === 'paused' ? { paused: true as const } : {}),
      ...(state === 'ended' ? { ended: true as const } : {}),
    }
    const after = findCursor(query)
    const page = await store.listAuthorizations(of, after, limit, at, `${order} first`)
    return describePage(page, listed.describe)
  },
})

const readAuthorization = defineRow({
  route: `GET ${path}`,
  says: 'Read an authorization',
  commands: [makeCommand('show', 'show an authorization', {})],
  answers: { 200: listedForm },
  find: parseId,
  run: async ({ on, exchange }, parts) => listed.describe(await find(on, exchange, parts)),
})

const changeAuthorization = defineRow({
  route: `PATCH ${path}`,
  says: 'Narrow an authorization, or pause and resume its application',
  commands: [
    makeCommand('pause', 'pause all that its owner approved for its client', {
      body: () => ({ paused: true }),
    }),
    makeCommand('resume', 'resume all that its owner approved for its client', {
      body: () => ({ paused: false }),
    }),
    {
      ...makeCommand('narrow', 'take permissions away from an authorization', {}),
      examples: [`latchkey authorization narrow ${exampleId} --keep photos:read`],
      flags: [['--keep <permission...>', 'the permissions that stay', 'needed']],
      body: ({ keep }) => ({ permissions: keep }),
    },
  ],
  body: {
    form: makeForm('AuthorizationChange', changeForm),
    example: { permissions: ['photos:read'] },
  },
  answers: { 200: makeForm('Authorization', (z) => z.strictObject(one.shape(z))) },
  find: parseId,
  async run({ on, given, exchange, trace }, parts) {
    const asked = parseChange(given)
    if (asked.paused !== undefined) return setPaused(on, asked.paused, exchange, trace(), parts)
    const keep = parseKept(asked, parts)
    const before = await find(on, exchange, parts)
    const narrowed = await parts.store.narrowAuthorization(on, null, keep, trace())
    if (narrowed === null) throw unknown('authorization')
    return one.describe({ ...before, ...narrowed })
  },
})

export const endAuthorization = defineRow({
  route: `DELETE ${path}`,
  says: 'End an authorization',
  commands: [
    makeCommand('end', 'end an authorization, with all of its codes and tokens', {
      json: ({ name }) => ({ ended: name }),
      text: ({ name }) => `${name} has ended, with all of its codes and tokens.`,
    }),
  ],
  answers: { 204: null },
  find: parseId,
  async run({ on, trace }, { store }) {
    if (!(await store.endAuthorization(on, null, trace()))) throw unknown('authorization')
    return null
  },
})

export const authorizationOperations = {
  listAuthorizations,
  readAuthorization,
  changeAuthorization,
  endAuthorization,
}
