/** The rules behind refusals, by the reason of a refusal. */
import { featureRules } from '../../features/rules.ts'
import { clientAssertionRules } from './client-assertions.ts'
import { oauthRules } from './oauth.ts'
import { oauthExtensionRules } from './oauth-extensions.ts'
import { openidRules } from './openid.ts'
import { ownOperationRules } from './own-operation.ts'
import { ownPageRules } from './own-pages.ts'
import { proofRules } from './proofs.ts'
import { registrationRules } from './registration.ts'
import { own, type Rule, type RuleRow, type RulesBySource } from './rule.ts'

const tables: readonly RulesBySource[] = [
  oauthRules,
  oauthExtensionRules,
  clientAssertionRules,
  openidRules,
  proofRules,
  registrationRules,
  ownOperationRules,
  ownPageRules,
  ...featureRules,
]

const makeRule = (source: string, row: RuleRow): Rule => {
  const [fix, about = '', expected = null, toldAs = null] = typeof row === 'string' ? [row] : row
  return { source, fix, about: about.split(' ').filter((name) => name !== ''), expected, toldAs }
}

type SourcedRow = readonly [source: string, row: RuleRow]

const sourced = tables
  .flatMap((table) => Object.entries(table))
  .flatMap(([source, rows]) =>
    Object.entries(rows).map(([reason, row]): [string, SourcedRow] => [reason, [source, row]]),
  )

const rows: ReadonlyMap<string, SourcedRow> = new Map(sourced)

/** Reasons that end in a name of the request, by how they begin. */
const families: Readonly<Record<string, (name: string) => SourcedRow>> = {
  missing_: (name) => ['RFC 6749 section 3.1', [`Send ${name}.`, name, `a value of ${name}`]],
  repeated_: (name) => ['RFC 6749 section 3.1', [`Send ${name} once.`, name, `${name} once`]],
  unsupported_: (name) => [
    'RFC 8414 section 2',
    [`Leave ${name} out: this server does not support it, as its metadata say.`, name],
  ],
  profile_: () => [
    own('profiles'),
    ['Do as the profile wants, or let the operator choose a milder one.', 'profile'],
  ],
  bad_: (name) => [own('admin-api'), [`Send ${name} as the words of the refusal say.`, name]],
  resource_: () => [own('resources'), ['Choose another name or uri.', 'uri']],
  unknown_: (name) => [own('admin-api'), [`List them to see the ids of each ${name}.`, 'path']],
}

const findRow = (reason: string): SourcedRow | null => {
  const row = rows.get(reason)
  if (row !== undefined) return row
  const start = Object.keys(families).find((known) => reason.startsWith(known))
  return start === undefined ? null : (families[start]?.(reason.slice(start.length)) ?? null)
}

/** The rule behind a reason; null for a reason of an extension. */
export const findRule = (reason: string): Rule | null => {
  const found = findRow(reason)
  return found && makeRule(...found)
}

/** The reasons with a rule of their own. */
export const ruledReasons: readonly string[] = sourced.map(([reason]) => reason)
