/** The first operator as a person: an owner with the role, and a link to choose a password. */

import type { Owner } from '../model/owner.ts'
import { consoleRoleOf } from '../model/role.ts'
import { paragraphs, renderTime } from '../operations/surface/said.ts'
import { handOver } from '../owners/links.ts'
import { newOwner } from '../owners/registration.ts'
import { beginSealing } from './sealing.ts'
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
export const addFirstOperator = async (flags: Flags, parts: StoreParts): Promise<FirstOperator> => {
  const { key, at } = await beginSealing(parts)
  const owner = await create(flags, parts)
  const purpose = owner.passwordHash === '' ? 'invite' : 'reset'
  const made = await handOver(purpose, owner, { ...parts.trace(), at }, { ...parts, key })
  return { username: owner.username, link: made.link, expires_at: made.expiresAt }
}

export const renderFirstOperator = (
  { username, link, expires_at }: FirstOperator,
  { settings }: Pick<StoreParts, 'settings'>,
): string =>
  paragraphs(
    `console   ${settings.issuer}/admin\nusername  ${username}\nlink      ${link}`,
    `Open the link in a browser once the service runs, and choose the password. The link works once, until ${renderTime(expires_at)}, and is shown this once. The console asks for a second factor: set one up at the first login.`,
  )
