/** Which migrations can be done on tables over many machines. */
import type { Migration } from '../../schema/migrate.ts'
import { places } from './place.ts'

const fit = [
  /^create (unique )?(table|index) /,
  /^alter table \w+ add column \w+ /,
  /^drop (table|index) /,
]

/** One table, and nothing of another machine. */
const change = /^(?:update|delete from) (\w+)\b(?!.*\b(?:select|from)\b)/s

const isFit = (sql: string): boolean => {
  if (fit.some((form) => form.test(sql))) return true
  if (change.test(sql)) return true
  // Only a table of owners has a column that such a statement does not write.
  const [, table = ''] = /^insert into (\w+)\b(?!.*\bselect\b)/s.exec(sql) ?? []
  return table !== '' && places[table]?.with !== 'owner'
}

/** Why migrations cannot be done, or null. Asked before any of them begins. */
export const findUnfit = (migrations: readonly Migration[]): string | null => {
  for (const { version, statements } of migrations) {
    const unfit = statements.find((sql) => !isFit(sql.trim()))
    if (unfit === undefined) continue
    const begin = unfit.trim().split(/\s+/).slice(0, 3).join(' ')
    return `is distributed, and schema ${version} needs a change that Citus cannot do (${begin}); use a version of this program that can`
  }
  return null
}
