/** `latchkey init`: the first operator, a client and a person, who can then add everything else. */
import { intersection } from '../access/permission.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { newClient } from '../clients/registration.ts'
import type { Client } from '../model/client.ts'
import { consoleRoleOf, type Owner } from '../model/owner.ts'
import { adminPermissions } from '../model/resource.ts'
import { asJson, paragraphs, renderTime } from '../operations/surface/said.ts'
import { handOver } from '../owners/hand-over.ts'
import { newOwner } from '../owners/registration.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { builtIn } from '../registries.ts'
import { beginSealing } from './operator.ts'
import type { Flags, StoreParts } from './store.ts'

/** A person who may enter the console, as `latchkey init` tells of them. */
interface FirstOperator {
  readonly username: string
  readonly link: string
  /** Unix seconds. */
  readonly expires_at: number
}

const members = ({ username = 'operator', email }: Flags) => ({
  username,
  roles: ['operator'],
  ...(email === undefined ? {} : { email }),
})

const create = async (flags: Flags, parts: StoreParts): Promise<Owner> => {
  const given = { ...members(flags), password: null }
  const owner = await newOwner(given, parts)
  if ((await parts.store.createOwner(owner, parts.trace())) === 'created') return owner
  // An earlier init may have ended between its two steps. A link serves that owner as well.
  const found = await parts.store.findOwnerByName(owner.username)
  if (found !== null && consoleRoleOf(found) === 'operator') return found
  throw new Error(`there is already an owner ${owner.username}; name another one by --username`)
}

/** A link to choose a password, also where no service has run yet. */
const addFirstOperator = async (flags: Flags, parts: StoreParts): Promise<FirstOperator> => {
  const { key, at } = await beginSealing(parts)
  const owner = await create(flags, parts)
  const purpose = owner.passwordHash === '' ? 'invite' : 'reset'
  const made = await handOver(purpose, owner, { ...parts.trace(), at }, { ...parts, key })
  return { username: owner.username, link: made.link, expires_at: made.expiresAt }
}

const renderFirstOperator = (
  { username, link, expires_at }: FirstOperator,
  { settings }: Pick<StoreParts, 'settings'>,
): string =>
  paragraphs(
    `console   ${settings.issuer}/admin\nusername  ${username}\nlink      ${link}`,
    `Open the link in a browser once the service runs, and choose the password. The link works once, until ${renderTime(expires_at)}, and is shown this once. The console asks for a second factor: set one up at the first login.`,
  )

interface AddedClient {
  readonly client: Client
  readonly secret: string | null
}

const register = async (
  metadata: Flags,
  id: string | undefined,
  parts: StoreParts,
): Promise<AddedClient> => {
  const chosen = id === undefined ? {} : { id }
  const registrar = { by: 'operator', registries: builtIn, ...chosen } as const
  const { client, secret } = newClient(metadata, registrar, parts)
  if ((await parts.store.createClient(client, parts.trace())) === 'taken') {
    throw new Error(`there is already a client ${client.id}`)
  }
  return { client, secret }
}

const showSecret = ({ client, secret }: AddedClient): string =>
  [
    `client_id      ${client.id}`,
    ...(secret === null ? [] : [`client_secret  ${secret}`, '', 'The secret is shown this once.']),
  ].join('\n')

const allClients = async ({ store }: StoreParts): Promise<readonly Client[]> => {
  const clients: Client[] = []
  let after: string | null = null
  do {
    const page = await store.listClients(after, parameterLimits.pageRows)
    clients.push(...page.rows)
    after = page.next
  } while (after !== null)
  return clients
}

const isOperator = (client: Client): boolean =>
  intersection(client.scope, adminPermissions).length > 0

/**
 * The first operator: a client that may do everything the admin API offers, for programs, and an
 * owner for the console.
 */
export const initialise = async (flags: Flags, parts: StoreParts): Promise<string> => {
  if (parts.settings.demo) {
    throw new Error(
      'this is the demo, which has its operator already (latchkey-admin); set LATCHKEY_ISSUER, or LATCHKEY_DEMO=0',
    )
  }
  const operator = (await allClients(parts)).find(isOperator)
  if (operator !== undefined) {
    throw new Error(
      `there is already an operator, the client ${operator.id}; for the console: latchkey owner set-roles USERNAME --role operator`,
    )
  }
  const metadata = {
    client_name: 'Operator',
    grant_types: ['client_credentials'],
    response_types: [],
    scope: adminPermissions.join(' '),
  }
  const id = typeof flags.id === 'string' ? flags.id : undefined
  // The secret is shown once, so nothing may fail after the client was made.
  const person = await addFirstOperator(flags, parts)
  const registered = await register(metadata, id, parts)
  const { client, secret } = registered
  return flags.json === true
    ? asJson({ ...describeForOperator(client), ...describeSecret(secret), operator: person })
    : paragraphs(
        showSecret(registered),
        `It may use all of ${parts.settings.issuer}/admin/api.`,
        renderFirstOperator(person, parts),
      )
}
