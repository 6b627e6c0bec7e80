/** The first operator as a person: an owner with the role, and a link to choose a password. */
import { newSecret } from '../crypto/digest.ts'
import { createPasswords } from '../crypto/password.ts'
import type { Owner } from '../model/owner.ts'
import { consoleRoleOf } from '../model/role.ts'
import { handOver } from '../owners/hand-over.ts'
import { newOwner } from '../owners/registration.ts'
import { paragraphs, renderTime } from './counts.ts'
import { findSealing } from './sealing.ts'
import type { Flags, StoreParts } from './store.ts'

/** A person who may enter the console, as `latchkey init` tells of them. */
interface FirstOperator {
  readonly username: string
  readonly password?: string
  readonly link?: string
  /** Unix seconds. */
  readonly expires_at?: number
}

const members = ({ username = 'operator', email }: Flags) => ({
  username,
  roles: ['operator'],
  ...(email === undefined ? {} : { email }),
})

const create = async (flags: Flags, password: unknown, parts: StoreParts): Promise<Owner> => {
  const given = { ...members(flags), password }
  const owner = await newOwner(given, { ...parts, passwords: createPasswords() })
  if ((await parts.store.createOwner(owner, parts.trace())) === 'created') return owner
  // An earlier init may have ended between its two steps. A link serves that owner as well.
  const found = await parts.store.findOwnerByName(owner.username)
  if (password === null && found !== null && consoleRoleOf(found) === 'operator') return found
  throw new Error(`there is already an owner ${owner.username}; name another one by --username`)
}

/** Before the first start there is no key to make a link with, so a password is shown. */
export const addFirstOperator = async (flags: Flags, parts: StoreParts): Promise<FirstOperator> => {
  const sealing = await findSealing(parts)
  if (sealing === null) {
    const password = newSecret('', parts.random).slice(0, 20)
    const owner = await create(flags, password, parts)
    return { username: owner.username, password }
  }
  const owner = await create(flags, null, parts)
  const purpose = owner.passwordHash === '' ? 'invite' : 'reset'
  const trace = { ...parts.trace(), at: sealing.at }
  const made = await handOver(purpose, owner, trace, { ...parts, key: sealing.key })
  return { username: owner.username, link: made.link, expires_at: made.expiresAt }
}

export const renderFirstOperator = (
  { username, password, link, expires_at }: FirstOperator,
  { settings }: Pick<StoreParts, 'settings'>,
): string => {
  const console = `console   ${settings.issuer}/admin`
  const how = 'The console asks for a second factor: set one up at the first login.'
  return link === undefined
    ? paragraphs(
        `${console}\nusername  ${username}\npassword  ${password}`,
        `The password is shown this once. ${how}`,
      )
    : paragraphs(
        `${console}\nusername  ${username}\nlink      ${link}`,
        `Whoever opens it chooses the password. The link works once, until ${renderTime(expires_at ?? 0)}, and is shown this once. ${how}`,
      )
}
