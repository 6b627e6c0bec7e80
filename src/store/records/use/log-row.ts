/** A row of the access log: what one authorization was used for on one day (UTC), with packed lines. */
import type { AuthorizationId } from '../../../model/ids.ts'
import type { NotedUse, Use, UseAction, UseDay } from '../../../model/use.ts'
import { StoreFault } from '../../fault.ts'
import { defineTable } from '../../sql/columns.ts'
import { json } from '../../sql/row.ts'
import type { Value } from '../../sql/statement.ts'

/** All lines of one authorization and day, in UTF-8. A longer row would take overflow pages in SQLite. */
export const logLinesBytes = 880

const minutesOfDay = 1440

/** A line is stored under the number of its minute, its hour or its day: which one, its range says. */
const firstPlaces = { 1: 0, 60: minutesOfDay, 1440: minutesOfDay + 24 } as const

type Minutes = Use['minutes']

/** The shared part of lines, written once; 1 stands for allowed. */
type Kind = readonly [used: string, allowed: 0 | 1, network: string]

/** Four numbers for each line: place, kind, uses, seconds from the beginning of the line to its last use. */
const numbersOfLine = 4

/** `[[["photos:read",1,"192.0.2.*"]],[734,0,3,12]]`; targets by the place of their lines, where there are any. */
type Packed = readonly [kinds: Kind[], numbers: number[], targets?: Record<number, string>]

export const noLines = '[[],[]]'

interface Added extends Pick<Use, 'uses'> {
  /** '' without one. */
  readonly target: string
  readonly place: number
  readonly kind: Kind
  readonly seconds: number
}

/** Adds to the line of this place, kind and target. */
const add = (
  [kinds, numbers]: Packed,
  targets: Record<number, string>,
  { place, kind, target, uses, seconds }: Added,
): void => {
  const known = kinds.findIndex((one) => one.every((part, i) => part === kind[i]))
  const index = known >= 0 ? known : kinds.push(kind) - 1
  // The latest are at the end, and most uses are of now.
  for (let at = numbers.length - numbersOfLine; at >= 0; at -= numbersOfLine) {
    if (numbers[at] !== place || numbers[at + 1] !== index) continue
    if ((targets[at / numbersOfLine] ?? '') !== target) continue
    numbers[at + 2] = (numbers[at + 2] ?? 0) + uses
    numbers[at + 3] = Math.max(numbers[at + 3] ?? 0, seconds)
    return
  }
  if (target !== '') targets[numbers.length / numbersOfLine] = target
  numbers.push(place, index, uses, seconds)
}

/** Without targets, as rows have always been. */
const pack = ([kinds, numbers]: Packed, targets: Record<number, string>): string =>
  JSON.stringify(Object.keys(targets).length === 0 ? [kinds, numbers] : [kinds, numbers, targets])

const decodeLine = (
  day: number,
  kinds: readonly Kind[],
  numbers: readonly number[],
  target: string,
): Use => {
  const [place = 0, kind = 0, uses = 0, seconds = 0] = numbers
  const found = kinds[kind]
  if (found === undefined) {
    throw new StoreFault('unreadable', 'the access log has a line of no kind')
  }
  const [used, allowed, network] = found
  const colon = used.lastIndexOf(':')
  const minutes = place < firstPlaces[60] ? 1 : place < firstPlaces[1440] ? 60 : 1440
  const minute = day * minutesOfDay + (place - firstPlaces[minutes]) * minutes
  return {
    minute,
    minutes,
    resource: used.slice(0, colon),
    action: used.slice(colon + 1) as UseAction,
    allowed: allowed === 1,
    network,
    ...(target === '' ? {} : { target }),
    uses,
    lastAt: minute * 60 + seconds,
  }
}

export const decodeLines = (day: number, text: Value | undefined): readonly Use[] => {
  const [kinds, numbers, targets = {}] = json(text) as Packed
  return Array.from({ length: numbers.length / numbersOfLine }, (_, i) => {
    const ofLine = numbers.slice(i * numbersOfLine, (i + 1) * numbersOfLine)
    return decodeLine(day, kinds, ofLine, targets[i] ?? '')
  })
}

/** Lines as they are stored, those that are alike added up. @param lines the latest first */
const packLines = (lines: readonly Use[]): string => {
  const sums: Packed = [[], []]
  const targets: Record<number, string> = {}
  for (const line of lines.toReversed()) {
    const { minute, minutes, resource, action, allowed, network, target = '', uses, lastAt } = line
    const place = firstPlaces[minutes] + (minute % minutesOfDay) / minutes
    const kind: Kind = [`${resource}:${action}`, allowed ? 1 : 0, network]
    add(sums, targets, { place, kind, target, uses, seconds: lastAt - minute * 60 })
  }
  return pack(sums, targets)
}

const roundMinutes =
  (least: Minutes) =>
  (line: Use): Use => {
    const minutes = Math.max(line.minutes, least) as Minutes
    return { ...line, minutes, minute: line.minute - (line.minute % minutes) }
  }

const dropTarget = ({ target: _target, ...line }: Use): Use => line

/** Names that an API chose must not push out the ids of items. */
const dropNamed = (line: Use): Use => (line.action === 'check' ? dropTarget(line) : line)

/** What a day with too many lines tells less exactly, in this order. */
const coarser: readonly ((line: Use) => Use)[] = [
  dropNamed,
  dropTarget,
  roundMinutes(60),
  roundMinutes(minutesOfDay),
  (line) => ({ ...line, network: '' }),
]

/** So much of the lines stays as it is, the latest; what is older becomes less exact. */
const exactPart = 1 / 8

/** So much of the room is taken afterwards at most: the lines of the next minutes fit beside it. */
const takenPart = 3 / 4

/**
 * The sums stay the same. Only where an application uses more resources than fit in a row, its
 * oldest lines go; the counts of the day still include them.
 */
const shortenLines = (lines: readonly Use[]): string => {
  const most = logLinesBytes
  const latestFirst = lines.toSorted((a, b) => b.lastAt - a.lastAt)
  const exact = latestFirst.slice(0, latestFirst.length * exactPart)
  let older = latestFirst.slice(exact.length)
  for (const change of coarser) {
    older = older.map(change)
    const text = packLines([...exact, ...older])
    if (Buffer.byteLength(text) <= most * takenPart) return text
  }
  const isLong = (lines: readonly Use[]): boolean => Buffer.byteLength(packLines(lines)) > most
  const whole = [...exact, ...older]
  // Names that an API chose push out no line.
  const kept = isLong(whole) ? whole.map(dropTarget) : whole
  while (kept.length > 1 && isLong(kept)) kept.pop()
  return packLines(kept)
}

/** Adds uses of one day to its lines, which are as they are stored. */
export const addToLines = (day: number, lines: string, uses: readonly NotedUse[]): string => {
  const sums = json(lines) as Packed
  const [, , targets = {}] = sums
  for (const { used, allowed, network, target = '', uses: count, lastAt } of uses) {
    const place = Math.floor((lastAt % (minutesOfDay * 60)) / 60)
    const kind: Kind = [used, allowed ? 1 : 0, network]
    add(sums, targets, { place, kind, target, uses: count, seconds: lastAt % 60 })
  }
  const text = pack(sums, targets)
  return Buffer.byteLength(text) <= logLinesBytes ? text : shortenLines(decodeLines(day, text))
}

/** The newest first, and in one order for ever: a page goes on after a line that it names. */
const formatPlace = (use: Use): string =>
  [
    String(use.minute % minutesOfDay).padStart(4, '0'),
    use.minutes,
    use.action,
    use.allowed ? 'allowed' : 'refused',
    use.network || '-',
    use.resource,
    ...(use.target === undefined ? [] : [use.target]),
  ].join(' ')

export const sortNewest = (lines: readonly Use[]) =>
  lines
    .map((line) => ({ line, place: formatPlace(line) }))
    .sort((a, b) => (a.place < b.place ? 1 : a.place > b.place ? -1 : 0))

export interface LogRow extends UseDay {
  readonly authorizationId: AuthorizationId
  /** Grows with each change. A writer names the revision that it read. */
  readonly revision: number
  /** Unix seconds of the last allowed use of the day, or null. */
  readonly lastAt: number | null
  /** The packed lines of the day. */
  readonly lines: string
}

/**
 * One row for each authorization and day, which many uses change. The day leads the key, so what is written
 * is near its end. From the first use of a day on `authorizations.last_used_at` is the first use of the last
 * day; the row of that day knows the last.
 */
export const accessLog = defineTable<LogRow>(
  'access_log',
  {
    day: 'small',
    authorizationId: 'text',
    revision: 'small',
    reads: 'integer',
    writes: 'integer',
    checks: 'integer',
    refused: 'integer',
    lastAt: 'integer?',
    lines: 'text',
  },
  { key: 'day authorization_id', restored: 'all' },
)

export const emptyRow = (day: number, authorizationId: AuthorizationId): LogRow => ({
  day,
  authorizationId,
  revision: 0,
  reads: 0,
  writes: 0,
  checks: 0,
  refused: 0,
  lastAt: null,
  lines: noLines,
})

const countOf = ({ used, allowed }: NotedUse): 'reads' | 'writes' | 'checks' | 'refused' => {
  if (!allowed) return 'refused'
  return used.endsWith(':read') ? 'reads' : used.endsWith(':write') ? 'writes' : 'checks'
}

export const addUses = (row: LogRow, uses: readonly NotedUse[]): LogRow => {
  const sums = { ...row }
  for (const use of uses) {
    sums[countOf(use)] += use.uses
    if (use.allowed) sums.lastAt = Math.max(use.lastAt, sums.lastAt ?? 0)
  }
  return { ...sums, revision: row.revision + 1, lines: addToLines(row.day, row.lines, uses) }
}
