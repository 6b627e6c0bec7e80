/** `latchkey owner ...`: the first people, before anybody can reach the admin API, and those locked out. */
import { text } from 'node:stream/consumers'
import { newSecret } from '../crypto/digest.ts'
import { createPasswords } from '../crypto/password.ts'
import { changedOwner, newOwner } from '../owners/registration.ts'
import { type Flags, type StoreParts, seedFirst } from './store.ts'

/** A password comes in over standard input, never as an argument, which `ps` would show. */
export const withPassword = async (flags: Flags): Promise<Flags> => {
  if (flags.passwordStdin !== true) return flags
  return { ...flags, password: (await text(process.stdin)).replace(/\r?\n$/, '') }
}

/** Members of the flag `--attributes`; none without it. */
const attributesIn = ({ attributes }: Flags): { readonly attributes?: unknown } => {
  if (typeof attributes !== 'string') return {}
  try {
    return { attributes: JSON.parse(attributes) }
  } catch {
    throw new Error('--attributes has to be a JSON object')
  }
}

export const addOwner = async (flags: Flags, parts: StoreParts): Promise<string> => {
  await seedFirst(parts)
  const { username, name, email } = flags
  const isGiven = typeof flags.password === 'string'
  const password = isGiven ? flags.password : newSecret('', parts.random).slice(0, 20)
  const members = {
    username,
    password,
    ...(name ? { name } : {}),
    ...(email ? { email } : {}),
    ...attributesIn(flags),
  }
  const owner = await newOwner(members, { ...parts, passwords: createPasswords() })
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
