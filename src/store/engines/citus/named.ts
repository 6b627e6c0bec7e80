/**
 * Reads that find an owner by a name: a username, a confirmed address, a passkey, an account of an upstream. The
 * table of names tells the owner first, on one machine. The read then goes to the machine of the owner.
 */
import { type Read, type Row, type Rows, statement, type Value } from '../../sql/statement.ts'
import { writeName } from './names.ts'

/** How a read names an owner. The names are its first parameters. */
interface NamedForm {
  readonly pattern: RegExp
  /** What the pattern found, with a comparison of the owner before it. */
  readonly keyed: string
  readonly table: string
  readonly kind: string
  readonly columns: readonly string[]
}

const forms: readonly NamedForm[] = [
  {
    pattern: /(?<=^select \* from owners )where (?=username_key = \?)/,
    keyed: 'where id = ? and ',
    ...{ table: 'owners', kind: 'username', columns: ['username_key'] },
  },
  {
    pattern: /(?<=^select \* from owners )where (?=lower\(email\) = \?\s+and email_verified = 1)/,
    keyed: 'where id = ? and ',
    ...{ table: 'owners', kind: 'address', columns: ['email'] },
  },
  {
    pattern: /where (?=p\.id = \? and o\.disabled = 0$)/,
    keyed: 'where p.owner_id = ? and ',
    ...{ table: 'passkeys', kind: 'passkey', columns: ['id'] },
  },
  {
    pattern: /(?<=\(select owner_id from upstream_links )where (?=upstream = \?)/,
    keyed: 'where owner_id = ? and ',
    ...{ table: 'upstream_links', kind: 'account', columns: ['upstream', 'issuer', 'subject'] },
  },
]

const readAt = async (
  read: Read,
  { pattern, keyed, table, kind, columns }: NamedForm,
  sql: string,
  params: readonly Value[],
): Promise<Rows> => {
  const row: Row = Object.fromEntries(columns.map((column, i) => [column, params[i] ?? null]))
  // An address that is not confirmed is no name.
  const name = writeName(table, kind, { ...row, email_verified: 1 })
  const { sql: question, params: asked } = statement(
    'select owner_id from names where name = ?',
    name,
  )
  const [found] = await read(question, asked)
  if (found === undefined) return []
  return read(sql.replace(pattern, keyed), [found.owner_id ?? '', ...params])
}

/** @returns null for any other read */
export const readNamed = (
  read: Read,
  sql: string,
  params: readonly Value[],
): Promise<Rows> | null => {
  const form = forms.find(({ pattern }) => pattern.test(sql))
  return form === undefined ? null : readAt(read, form, sql, params)
}
