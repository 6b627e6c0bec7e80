/** The rules behind refusals, by the reason of a refusal. */
import { apiRules } from './api.ts'
import { authorizationRules } from './authorization.ts'
import { peopleRules } from './people.ts'
import { registrationRules } from './registration.ts'
import { own, type Rule, type RuleRow, type RuleRows } from './rule.ts'
import { tokenRules } from './token.ts'

const rows: RuleRows = {
  ...authorizationRules,
  ...tokenRules,
  ...apiRules,
  ...registrationRules,
  ...peopleRules,
}

/** Reasons that end in a name of the request, by how they begin. */
const families: Readonly<Record<string, (name: string) => RuleRow>> = {
  missing_: (name) => ['RFC 6749 section 3.1', `Send ${name}.`, name, `a value of ${name}`],
  repeated_: (name) => ['RFC 6749 section 3.1', `Send ${name} once.`, name, `${name} once`],
  unsupported_: (name) => [
    'RFC 8414 section 2',
    `Leave ${name} out: this server does not support it, as its metadata say.`,
    name,
  ],
  bad_: (name) => [own('admin-api'), `Send ${name} as the words of the refusal say.`, name],
  resource_: () => [own('resources'), 'Choose another name or uri.', 'uri'],
  unknown_: (name) => [own('admin-api'), `List them to see the ids of each ${name}.`, 'path'],
}

const rowOf = (reason: string): RuleRow | null => {
  const row = Object.hasOwn(rows, reason) ? rows[reason] : undefined
  if (row !== undefined) return row
  const start = Object.keys(families).find((known) => reason.startsWith(known))
  return start === undefined ? null : (families[start]?.(reason.slice(start.length)) ?? null)
}

/** The rule behind a reason; null for a reason of an extension. */
export const findRule = (reason: string): Rule | null => {
  const row = rowOf(reason)
  if (row === null) return null
  const [source, fix, about = '', expected = null, toldAs = null] = row
  return { source, fix, about: about.split(' ').filter((name) => name !== ''), expected, toldAs }
}

/** The reasons with a rule of their own. */
export const ruledReasons: readonly string[] = Object.keys(rows)
