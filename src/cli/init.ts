/** `latchkey init`: the first operator, a client and a person, who can then add everything else. */

import { intersect } from '../access/permission.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { makeClient } from '../clients/registration.ts'
import type { Client } from '../model/client.ts'
import { findConsoleRole, type Owner } from '../model/owner.ts'
import { adminPermissions } from '../model/resource.ts'
import { saySecret } from '../operations/surface/client-flags.ts'
import { joinTexts, renderTime, sayJson } from '../operations/surface/said.ts'
import { handOver } from '../owners/links.ts'
import { parseOwner } from '../owners/registration.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { builtIn } from '../registries.ts'
import type { Page } from '../store/contract/trace.ts'
import { beginSealing } from './operator.ts'
import type { Flags, StoreParts } from './store.ts'

const createOwner = async (
  { username = 'operator', email }: Flags,
  parts: StoreParts,
): Promise<Owner> => {
  const person = email === undefined ? { username } : { username, email }
  const owner = await parseOwner({ ...person, roles: ['operator'], password: null }, parts)
  if ((await parts.store.createOwner(owner, parts.trace())) === 'created') return owner
  // An earlier init may have ended between its two steps. A link serves that owner as well.
  const found = await parts.store.findOwnerByName(owner.username)
  if (found !== null && findConsoleRole(found) === 'operator') return found
  throw new Error(`there is already an owner ${owner.username}; name another one by --username`)
}

/** A link to choose a password, also where no service has run yet. */
const addFirstOperator = async (flags: Flags, parts: StoreParts) => {
  const { key, at } = await beginSealing(parts)
  const owner = await createOwner(flags, parts)
  const purpose = owner.passwordHash === '' ? 'invite' : 'reset'
  const made = await handOver(purpose, owner, { ...parts.trace(), at }, { ...parts, key })
  return { username: owner.username, link: made.link, expires_at: made.expiresAt }
}

const renderFirstOperator = (
  { username, link, expires_at }: Awaited<ReturnType<typeof addFirstOperator>>,
  { settings }: Pick<StoreParts, 'settings'>,
): string =>
  joinTexts(
    `console   ${settings.issuer}/admin\nusername  ${username}\nlink      ${link}`,
    `Open the link in a browser once the service runs, and choose the password. The link works once, until ${renderTime(expires_at)}, and is shown this once. The console asks for a second factor: set one up at the first login.`,
  )

/** The metadata of a client that may do everything the admin API offers. */
const metadata = {
  client_name: 'Operator',
  grant_types: ['client_credentials'],
  response_types: [],
  scope: adminPermissions.join(' '),
}

const register = async ({ id }: Flags, parts: StoreParts) => {
  const chosen = typeof id === 'string' ? { id } : {}
  const registrar = { by: 'operator', registries: builtIn, ...chosen } as const
  const { vault } = await parts.openRoot()
  const { client, secret } = makeClient(metadata, registrar, { ...parts, vault })
  if ((await parts.store.createClient(client, parts.trace())) === 'created') {
    return { client, secret }
  }
  throw new Error(`there is already a client ${client.id}`)
}

/** A client that may use the admin API already; null without one. */
const findOperator = async ({ store }: StoreParts): Promise<Client | null> => {
  let after: string | null = null
  do {
    const page: Page<Client> = await store.listClients(after, parameterLimits.pageRows)
    const found = page.rows.find(({ scope }) => intersect(scope, adminPermissions).length > 0)
    if (found !== undefined) return found
    after = page.next
  } while (after !== null)
  return null
}

/**
 * The first operator: a client that may do everything the admin API offers, for programs, and an
 * owner for the console.
 */
export const initialise = async (flags: Flags, parts: StoreParts): Promise<string> => {
  if (parts.settings.demo) {
    throw new Error(
      'this is the demo, which has its operator already (latchkey-admin); set LATCHKEY_DEMO=0, or LATCHKEY_ISSUER to the URL of your service',
    )
  }
  const operator = await findOperator(parts)
  if (operator !== null) {
    throw new Error(
      `there is already an operator, the client ${operator.id}; for the console: latchkey owner set-roles USERNAME --role operator`,
    )
  }
  // The secret is shown once, so nothing may fail after the client was made.
  const person = await addFirstOperator(flags, parts)
  const { client, secret } = await register(flags, parts)
  const described = { ...describeForOperator(client), ...describeSecret(secret) }
  return flags.json === true
    ? sayJson({ ...described, operator: person })
    : joinTexts(
        saySecret(described),
        `It may use all of ${parts.settings.issuer}/admin/api.`,
        renderFirstOperator(person, parts),
      )
}
