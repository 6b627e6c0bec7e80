/** The lines in one row of the access log: packed into a short text, and never longer than a bound. */
import { limits } from '../../config/limits.ts'
import type { NotedUse, Use, UseAction } from '../../model/use.ts'
import { StoreFault } from '../fault.ts'
import { json } from './row.ts'
import type { Value } from './statement.ts'

const minutesOfDay = 1440

/** A line is stored under the number of its minute, its hour or its day: which one, its range says. */
const firstPlaces = { 1: 0, 60: minutesOfDay, 1440: minutesOfDay + 24 } as const

type Minutes = Use['minutes']

const placeOf = ({ minute, minutes }: Use): number =>
  firstPlaces[minutes] + (minute % minutesOfDay) / minutes

const minutesAt = (place: number): Minutes => {
  if (place < firstPlaces[60]) return 1
  return place < firstPlaces[1440] ? 60 : 1440
}

/** What lines share is written once: `[["photos:read",1,"192.0.2.*"]]`, 1 for allowed. */
const kindOf = ({ resource, action, allowed, network }: Use): string =>
  JSON.stringify([`${resource}:${action}`, allowed ? 1 : 0, network])

/** Four numbers for each line: place, kind, uses, seconds from the beginning of the line to its last use. */
const numbersOfLine = 4

/** `[[["photos:read",1,"192.0.2.*"]],[734,0,3,12]]` */
export const encodeLines = (lines: readonly Use[]): string => {
  const kinds = new Map<string, number>()
  const numbers = lines.flatMap((line) => {
    const kind = kindOf(line)
    const known = kinds.get(kind) ?? kinds.size
    kinds.set(kind, known)
    return [placeOf(line), known, line.uses, line.lastAt - line.minute * 60]
  })
  return `[[${[...kinds.keys()].join()}],[${numbers.join()}]]`
}

type Kind = readonly [used: string, allowed: 0 | 1, network: string]

const decodeLine = (day: number, kinds: readonly Kind[], numbers: readonly number[]): Use => {
  const [place = 0, kind = 0, uses = 0, seconds = 0] = numbers
  const found = kinds[kind]
  if (found === undefined) {
    throw new StoreFault('unreadable', 'the access log has a line of no kind')
  }
  const [used, allowed, network] = found
  const colon = used.lastIndexOf(':')
  const minutes = minutesAt(place)
  const minute = day * minutesOfDay + (place - firstPlaces[minutes]) * minutes
  return {
    minute,
    minutes,
    resource: used.slice(0, colon),
    action: used.slice(colon + 1) as UseAction,
    allowed: allowed === 1,
    network,
    uses,
    lastAt: minute * 60 + seconds,
  }
}

export const decodeLines = (day: number, text: Value | undefined): readonly Use[] => {
  const [kinds, numbers] = json(text) as readonly [readonly Kind[], readonly number[]]
  return Array.from({ length: numbers.length / numbersOfLine }, (_, i) =>
    decodeLine(day, kinds, numbers.slice(i * numbersOfLine, (i + 1) * numbersOfLine)),
  )
}

const lineOf = ({ used, allowed, network, uses, lastAt }: NotedUse): Use => {
  const colon = used.lastIndexOf(':')
  return {
    minute: Math.floor(lastAt / 60),
    minutes: 1,
    resource: used.slice(0, colon),
    action: used.slice(colon + 1) as UseAction,
    allowed,
    network,
    uses,
    lastAt,
  }
}

/** Adds up lines that are alike. */
const merged = (lines: readonly Use[]): readonly Use[] => {
  const sums = new Map<string, Use>()
  for (const line of lines) {
    const key = `${placeOf(line)} ${kindOf(line)}`
    const sum = sums.get(key)
    sums.set(
      key,
      sum === undefined
        ? line
        : { ...sum, uses: sum.uses + line.uses, lastAt: Math.max(sum.lastAt, line.lastAt) },
    )
  }
  return [...sums.values()]
}

const over =
  (least: Minutes) =>
  (line: Use): Use => {
    const minutes = Math.max(line.minutes, least) as Minutes
    return { ...line, minutes, minute: line.minute - (line.minute % minutes) }
  }

/** What a day with too many lines tells less exactly, in this order. */
const coarser: readonly ((line: Use) => Use)[] = [
  over(60),
  over(1440),
  (line) => ({ ...line, network: '' }),
]

const isTooLong = (lines: readonly Use[], most: number): boolean => encodeLines(lines).length > most

/** The latest line stays in any case. */
const withoutOldest = (lines: readonly Use[], most: number): readonly Use[] => {
  const kept = lines.toSorted((a, b) => b.lastAt - a.lastAt)
  while (kept.length > 1 && isTooLong(kept, most)) kept.pop()
  return kept
}

/** So much of the lines stays as it is, the latest; what is older becomes less exact. */
const exactPart = 1 / 8

/** So much of the room is taken afterwards at most: the lines of the next minutes fit beside it. */
const takenPart = 3 / 4

/**
 * The sums stay the same. Only where an application uses more resources than fit in a row, its
 * oldest lines go; the counts of the day still include them.
 */
const shortened = (lines: readonly Use[]): readonly Use[] => {
  const most = limits.logLinesCharacters
  if (!isTooLong(lines, most)) return lines
  const latestFirst = lines.toSorted((a, b) => b.lastAt - a.lastAt)
  const exact = latestFirst.slice(0, latestFirst.length * exactPart)
  let older: readonly Use[] = latestFirst.slice(exact.length)
  for (const change of coarser) {
    older = merged(older.map(change))
    const short = [...exact, ...older]
    if (!isTooLong(short, most * takenPart)) return short
  }
  return withoutOldest([...exact, ...older], most)
}

/** Adds uses of the same day to its lines. */
export const addToLines = (lines: readonly Use[], uses: readonly NotedUse[]): readonly Use[] =>
  shortened(merged([...lines, ...uses.map(lineOf)]))

/** The newest first, and in one order for ever: a page goes on after a line that it names. */
const textOf = ({ minute, minutes, resource, action, allowed, network }: Use): string =>
  [
    String(minute % minutesOfDay).padStart(4, '0'),
    minutes,
    action,
    allowed ? 'allowed' : 'refused',
    network || '-',
    resource,
  ].join(' ')

export interface PlacedLine {
  readonly line: Use
  readonly place: string
}

export const newestFirst = (lines: readonly Use[]): readonly PlacedLine[] =>
  lines
    .map((line) => ({ line, place: textOf(line) }))
    .sort((a, b) => (a.place < b.place ? 1 : a.place > b.place ? -1 : 0))
