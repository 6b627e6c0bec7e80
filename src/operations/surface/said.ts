/** What a command says: JSON for programs, text for people. */

export interface CommandOutput {
  /** The stable shape that `--json` prints. */
  readonly json: unknown
  readonly text: string
}

export type JsonRow = Readonly<Record<string, unknown>>

/** Unix seconds as people read them. */
export const renderTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')

/** Paragraphs with an empty line between them; null where one does not apply. */
export const joinTexts = (...texts: readonly (string | null)[]): string =>
  texts.filter((text) => text !== null && text !== '').join('\n\n')

/** Members under names as in the admin API: `takenAt` becomes `taken_at`, also in members of members. */
export const renameAll = (value: object): JsonRow =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof member === 'object' && member !== null ? renameAll(member) : member,
    ]),
  )

/** In JSON the escapes of `escapeForTerminal` are the same text. */
export const sayJson = (data: unknown): string => escapeForTerminal(JSON.stringify(data, null, 2))

const spell = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A terminal would obey these: control, separator and bidirectional characters. The end of a line stays. */
export const escapeForTerminal = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spell)

/** One value of an answer, in one line. */
export const show = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeForTerminal(value).replaceAll('\n', '\\u000a')
  const isWords = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isWords ? value.join(' ') : JSON.stringify(value)
}

/** Names a column, with its values below. */
export const renderRows = (rows: readonly (readonly string[])[]): string => {
  const width = (i: number): number => Math.max(...rows.map((row) => row[i]?.length ?? 0))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(width(i)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Members that end so are unix seconds; 0 is no time (RFC 7591 section 3.2.1). */
const formatMember = (name: string, value: unknown): string =>
  name.endsWith('_at') && typeof value === 'number' && value > 0 ? renderTime(value) : show(value)

/** A line for each member with a value. */
export const renderMembers = (members: JsonRow): string =>
  renderRows(
    Object.entries(members)
      .map(([name, value]) => [name, formatMember(name, value)] as const)
      .filter(([, value]) => value !== '' && value !== '{}'),
  )
