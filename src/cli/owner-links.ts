/** `latchkey owner invite` and `owner reset`: links that the operator passes on. */
import { createPasswords } from '../crypto/password.ts'
import type { Owner } from '../model/owner.ts'
import { type HandedOver, handOver } from '../owners/hand-over.ts'
import type { OwnerLinkPurpose } from '../owners/links.ts'
import { newOwner } from '../owners/registration.ts'
import { paragraphs, renderTime } from './counts.ts'
import { membersIn } from './owner-members.ts'
import { requireSealing, type Sealing } from './sealing.ts'
import type { Flags, StoreParts } from './store.ts'

/** Creates an owner who has no password yet. */
export const addInvited = async (flags: Flags, parts: StoreParts): Promise<Owner> => {
  const members = { ...membersIn(flags), password: null }
  const owner = await newOwner(members, { ...parts, passwords: createPasswords() })
  if ((await parts.store.createOwner(owner, parts.trace())) === 'taken') {
    throw new Error(`there is already an owner ${owner.username}`)
  }
  return owner
}

const effects: Readonly<Record<OwnerLinkPurpose, string>> = {
  invite: 'Whoever opens it chooses the password of this account',
  reset: 'Whoever opens it chooses a new password for this account, and all of its logins end',
  verify: 'Whoever opens it confirms the email address of this account',
}

const render = ({ username }: Owner, { purpose, link, expiresAt }: HandedOver): string =>
  paragraphs(
    `username  ${username}\nlink      ${link}`,
    `${effects[purpose]}. The link works once, until ${renderTime(expiresAt)}, and is shown this once.`,
  )

/** Makes a link for an owner, and says how to pass it on. */
export const renderLink = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  { key, at }: Sealing,
  flags: Flags,
  parts: StoreParts,
): Promise<string> => {
  const made = await handOver(purpose, owner, { ...parts.trace(), at }, { ...parts, key })
  if (flags.json !== true) return render(owner, made)
  const { link, expiresAt: expires_at } = made
  return JSON.stringify({ username: owner.username, purpose, link, expires_at }, null, 2)
}

const findNamed = (flags: Flags, parts: StoreParts): Promise<Owner | null> =>
  parts.store.findOwnerByName(String(flags.username))

export const inviteOwner = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const sealing = await requireSealing(parts)
  const owner = (await findNamed(flags, parts)) ?? (await addInvited(flags, parts))
  return renderLink('invite', owner, sealing, flags, parts)
}

export const resetOwner = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const sealing = await requireSealing(parts)
  const owner = await findNamed(flags, parts)
  if (owner === null) throw new Error(`there is no owner ${String(flags.username)}`)
  return renderLink('reset', owner, sealing, flags, parts)
}
