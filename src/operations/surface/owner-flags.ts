/** The flags of `latchkey owner ...`, the members they give, and the words of links. */

import { findConsoleRole } from '../../model/owner.ts'
import { parseObject, pickGivenMembers } from './cli.ts'
import { type JsonRow, joinTexts, renderMembers, renderTime, show } from './said.ts'

export const readOwnerMembers = ({
  name,
  email,
  attributes: json,
  role: roles,
}: JsonRow): JsonRow => {
  const attributes = json === undefined ? undefined : parseObject(json, '--attributes')
  return pickGivenMembers({ name, email, attributes, roles })
}

/** No role takes all of them away. */
export const readRoles = ({ role: roles = [], keep }: JsonRow): JsonRow =>
  pickGivenMembers({ roles, keep_ways_in: keep })

export const sayRoles = (username: string, roles: readonly string[]): string => {
  if (roles.length === 0) return `${username} has no role.`
  const named = `${roles.length === 1 ? 'the role' : 'the roles'} ${roles.join(' ')}`
  // Any word may be a role, so nothing refuses a mistyped one.
  const hint =
    findConsoleRole({ roles }) !== null ? '' : ' The console opens for operator and auditor only.'
  return `${username} has ${named}.${hint}`
}

interface SaidWait {
  readonly counter: string
  readonly until: number
}

/** An owner, with waits in words. */
export const sayOwner = (owner: JsonRow): string => {
  const waits = (owner.waits ?? []) as readonly SaidWait[]
  const said = waits.map(({ counter, until }) => `${show(counter)} until ${renderTime(until)}`)
  return renderMembers({ ...owner, waits: said.join(', ') })
}

const effects: Readonly<Record<string, string>> = {
  invite: 'Whoever opens it chooses the password of this account',
  reset: 'Whoever opens it chooses a new password for this account, and all of its logins end',
}

/** A link to be passed on, or the mail with it. */
export const sayLink = ({ purpose, link, expires_at, sent_to }: JsonRow, username: unknown) => {
  if (sent_to !== undefined) {
    return `A mail with a link for ${username} goes to ${show(sent_to)}. The running service sends it.`
  }
  return joinTexts(
    `username  ${username}\nlink      ${show(link)}`,
    `${effects[show(purpose)]}. The link works once, until ${renderTime(Number(expires_at))}, and is shown this once.`,
  )
}
