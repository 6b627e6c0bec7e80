/** `latchkey owner ...`: the first people, before anybody can reach the admin API, and those locked out. */
import { text } from 'node:stream/consumers'
import { newSecret } from '../crypto/digest.ts'
import { createPasswords } from '../crypto/password.ts'
import { changedOwner, newOwner } from '../owners/registration.ts'
import { addInvited, renderLink } from './owner-links.ts'
import { attributesIn, membersIn } from './owner-members.ts'
import { findSealing } from './sealing.ts'
import { type Flags, type StoreParts, seedFirst } from './store.ts'

/** A password comes in over standard input, never as an argument, which `ps` would show. */
export const withPassword = async (flags: Flags): Promise<Flags> => {
  if (flags.passwordStdin !== true) return flags
  return { ...flags, password: (await text(process.stdin)).replace(/\r?\n$/, '') }
}

/**
 * Without a password the owner gets an invitation. Before the first start there is no key to make one
 * with, and the owner gets a password that is shown.
 */
export const addOwner = async (flags: Flags, parts: StoreParts): Promise<string> => {
  await seedFirst(parts)
  const isGiven = typeof flags.password === 'string'
  const sealing = isGiven ? null : await findSealing(parts)
  if (sealing !== null) {
    return renderLink('invite', await addInvited(flags, parts), sealing, flags, parts)
  }
  const password = isGiven ? flags.password : newSecret('', parts.random).slice(0, 20)
  const owner = await newOwner(
    { ...membersIn(flags), password },
    { ...parts, passwords: createPasswords() },
  )
  if ((await parts.store.createOwner(owner, parts.trace())) === 'taken') {
    throw new Error(`there is already an owner ${owner.username}`)
  }
  const added = `username  ${owner.username}`
  return isGiven ? added : `${added}\npassword  ${password}\n\nThe password is shown this once.`
}

/** Replaces all attributes of an owner. */
export const setAttributes = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const username = String(flags.username)
  const owner = await parts.store.findOwnerByName(username)
  if (owner === null) throw new Error(`there is no owner ${username}`)
  const change = changedOwner(attributesIn(flags))
  await parts.store.changeOwner(owner.id, change, parts.trace())
  return `${owner.username} has the attributes ${JSON.stringify(change.attributes)}.`
}

/** For an owner without any factor left: the password alone logs in again. */
export const resetFactors = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const username = String(flags.username)
  const owner = await parts.store.findOwnerByName(username)
  if (owner === null) throw new Error(`there is no owner ${username}`)
  const wasReset = await parts.store.resetFactors(owner.id, parts.trace())
  return wasReset
    ? `${owner.username} logs in by the password alone again, and can set up a new second factor.`
    : `${owner.username} has no second factor.`
}
