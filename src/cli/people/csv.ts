/** Records of a CSV file (RFC 4180). The first one names the members; a dot leads into an object. */

/** The fields of a record; null where its quotes do not fit. */
export const parseCsv = (text: string): readonly string[] | null => {
  const fields: string[] = []
  let at = 0
  while (true) {
    const found = text[at] === '"' ? /"((?:[^"]|"")*)"(?=,|$)/y : /([^,"]*)(?=,|$)/y
    found.lastIndex = at
    const match = found.exec(text)
    if (match === null) return null
    fields.push((match[1] ?? '').replaceAll('""', '"'))
    at = found.lastIndex
    if (at >= text.length) return fields
    at++
  }
}

type CsvMembers = Record<string, unknown>

const flags = ['email_verified', 'disabled', 'phone_number_verified']

const inJson = ['claims', 'attributes', 'roles', 'claims.address']

/** What a cell says. Text stays text, whatever a spreadsheet would make of it. */
const cellValue = (column: string, cell: string): unknown => {
  const name = column.split('.').at(-1) ?? ''
  if (flags.includes(name)) {
    const said = cell.toLowerCase()
    return said === 'true' || said === 'false' ? said === 'true' : cell
  }
  if (column === 'created_at') return /^\d{1,12}$/.test(cell) ? Number(cell) : cell
  if (!inJson.includes(column)) return cell
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

const isObject = (value: unknown): value is CsvMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Columns with a dot lead into an object: `claims.given_name`. */
const put = (members: CsvMembers, path: readonly string[], value: unknown): void => {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    members[name] = value
    return
  }
  const inner = members[name]
  const next: CsvMembers = isObject(inner) ? inner : Object.create(null)
  members[name] = next
  put(next, rest, value)
}

/** The members that a record gives. An empty cell gives none. */
export const membersOf = (header: readonly string[], fields: readonly string[]): CsvMembers => {
  const members: CsvMembers = Object.create(null)
  for (const [i, column] of header.entries()) {
    const cell = fields[i] ?? ''
    if (cell !== '') put(members, column.split('.'), cellValue(column, cell))
  }
  return members
}
