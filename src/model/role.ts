/** Roles of owners. The operator gives them, and two of them open the console. */

/** The most powerful first. */
const consoleRoles = ['operator', 'auditor'] as const

/** `operator` may do everything in the console. `auditor` sees the same pages and changes nothing. */
export type ConsoleRole = (typeof consoleRoles)[number]

/** A role is one short word, so that a list of them is text with blanks. */
export const isRole = (text: string): boolean => /^[a-z][a-z0-9_:-]{0,39}$/.test(text)

/** The role of an owner in the console; null = no entry. */
export const consoleRoleOf = ({
  roles,
}: {
  readonly roles: readonly string[]
}): ConsoleRole | null => consoleRoles.find((role) => roles.includes(role)) ?? null

type Roles = { readonly roles: readonly string[] }

/** Whether roles open more of the console than others before. */
export const isRaised = (before: Roles, after: Roles): boolean => {
  const role = consoleRoleOf(after)
  return role !== null && role !== consoleRoleOf(before) && consoleRoleOf(before) !== 'operator'
}
