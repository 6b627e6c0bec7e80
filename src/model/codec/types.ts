/** How values of each type are written: lossless for every value, and short for those that are usual. */
import type { Digest } from '../ids.ts'
import { malformed, type Reader, type Writer } from './bytes.ts'

export interface Type<Value> {
  write(value: Value, to: Writer): void
  /** Throws `malformed` where nothing of this type was written. */
  read(from: Reader): Value
  /** The value that a record leaves out: null, false or an empty list. A type without one is always written. */
  readonly absent?: Value
}

export type ValueOf<Written> = Written extends Type<infer Value> ? Value : never

/** One of two types, by whether `isFirst` says so. */
export const either = <First, Second>(
  isFirst: (value: First | Second) => value is First,
  first: Type<First>,
  second: Type<Second>,
): Type<First | Second> => ({
  write(value, to) {
    if (isFirst(value)) {
      to.byte(1)
      first.write(value, to)
    } else {
      to.byte(2)
      second.write(value as Second, to)
    }
  },
  read(from) {
    const which = from.byte()
    if (which !== 1 && which !== 2) throw malformed
    return which === 1 ? first.read(from) : second.read(from)
  },
})

/** Any text. The type argument is for texts of a kind, such as a client id. */
export const text = <Text extends string = string>(): Type<Text> => ({
  write: (value, to) => to.text(value),
  read: (from) => from.text() as Text,
})

/** A whole number from 0 on. */
export const number: Type<number> = {
  write: (value, to) => to.number(value),
  read: (from) => from.number(),
}

/** Left out where it is false. */
export const flag: Type<boolean> = {
  write() {},
  read: () => true,
  absent: false,
}

/** Left out where it is null. */
export const optional = <Value>({ write, read }: Type<Value>): Type<Value | null> => ({
  write(value, to) {
    if (value !== null) write(value, to)
  },
  read,
  absent: null,
})

/** Short where `createId` made it. */
export const id = <Id extends string>(): Type<Id> => ({
  write: (value, to) => to.id(value),
  read: (from) => from.id() as Id,
})

export const digest: Type<Digest> = {
  write: (value, to) => to.digest(value),
  read: (from) => from.digest() as Digest,
}

/** One of some words: its place among them. New words go to the end of the list. */
export const word = <Word extends string>(words: readonly Word[]): Type<Word> => ({
  write: (value, to) => to.number(words.indexOf(value)),
  read(from) {
    const found = words[from.number()]
    if (found === undefined) throw malformed
    return found
  },
})

/** Whatever JSON can write. */
export const json = <Value>(): Type<Value> => ({
  write: (value, to) => to.text(JSON.stringify(value)),
  read(from) {
    const written = from.text()
    try {
      return JSON.parse(written) as Value
    } catch {
      throw malformed
    }
  },
})

/** Left out where it is empty. */
export const list = <Value>({ write, read }: Type<Value>): Type<readonly Value[]> => ({
  write(values, to) {
    to.number(values.length)
    for (const value of values) write(value, to)
  },
  read(from) {
    const values: Value[] = []
    for (let left = from.number(); left > 0; left--) values.push(read(from))
    return values
  },
  absent: [],
})

/**
 * Texts share at most so many characters. Statements are read before their seal is checked, so a few
 * bytes must not become many long texts.
 */
const mostShared = 255

const sharedLength = (a: string, b: string): number => {
  const most = Math.min(a.length, mostShared)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}

/**
 * Texts of which neighbours begin alike, such as sorted permissions: of each, how many characters it
 * shares with the one before it, and the rest. Left out where it is empty.
 */
export const texts = <Text extends string = string>(): Type<readonly Text[]> => ({
  write(values, to) {
    to.number(values.length)
    let before = ''
    for (const value of values) {
      const shared = sharedLength(before, value)
      to.number(shared)
      to.text(value, shared)
      before = value
    }
  },
  read(from) {
    const values: Text[] = []
    let before = ''
    for (let left = from.number(); left > 0; left--) {
      const shared = from.number()
      if (shared > before.length || shared > mostShared) throw malformed
      before = before.slice(0, shared) + from.text()
      values.push(before as Text)
    }
    return values
  },
  absent: [],
})
