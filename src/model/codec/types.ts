/**
 * How values of each type are written: lossless for every value, and short for those that are usual.
 *
 * A record has named fields. Each field is written as its number and its value, so no content can make
 * one field look like another. An absent field takes no room. A number is never used again, and a field
 * with a new meaning gets a new number. So a newer version reads what an older one wrote. An older
 * version refuses an unknown field, which may be a restriction.
 */
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
      to.number(1)
      first.write(value, to)
    } else {
      to.number(2)
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

/** Left out where it is null. Only a record leaves values out, so only fields have such a type. */
export const optional = <Value>({ write, read }: Type<Value>): Type<Value | null> => ({
  write: write as Type<Value | null>['write'],
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

/**
 * Texts of which neighbours begin alike, such as sorted permissions: of each, how many characters it
 * shares with the one before it, and the rest. Left out where it is empty.
 */
export const texts = <Text extends string = string>(): Type<readonly Text[]> => ({
  write(values, to) {
    to.number(values.length)
    let before = ''
    for (const value of values) {
      const most = Math.min(before.length, mostShared)
      let shared = 0
      while (shared < most && before.charCodeAt(shared) === value.charCodeAt(shared)) shared++
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

/** One field of a record. */
export interface RecordField<Value> {
  /** From 1 to 127. */
  readonly number: number
  readonly type: Type<Value>
}

export const field = <Value>(number: number, type: Type<Value>): RecordField<Value> => ({
  number,
  type,
})

type RecordFields = Readonly<Record<string, RecordField<unknown>>>

/** What a record of these fields holds. */
export type RecordOf<Of extends RecordFields> = {
  readonly [Name in keyof Of]: Of[Name] extends RecordField<infer Value> ? Value : never
}

interface NamedField extends RecordField<unknown> {
  readonly name: string
  readonly isOptional: boolean
}

const byNumber = (fields: RecordFields): readonly NamedField[] => {
  const named = Object.entries(fields).map(([name, { number, type }]) => ({
    name,
    number,
    type,
    isOptional: type.absent !== undefined,
  }))
  for (const { name, number } of named) {
    const others = named.filter((other) => other.number === number && other.name !== name)
    if (others.length > 0) throw new Error(`two fields have the number ${number}: ${name}`)
    if (number < 1 || number > 127) throw new Error(`the number of the field ${name} is no byte`)
  }
  return named.sort((a, b) => a.number - b.number)
}

const end = 0

/**
 * The type of a record.
 *
 * @param left further fields of the record: never written, and read as absent
 */
export const record = <const Of extends RecordFields>(
  fields: Of,
  left: RecordFields = {},
): Type<RecordOf<Of>> => {
  const ordered = byNumber(fields)
  const required = ordered.filter(({ isOptional }) => !isOptional).length
  const withNumber: readonly (NamedField | undefined)[] = Array.from({ length: 128 }, (_, number) =>
    ordered.find((field) => field.number === number),
  )
  const blank = Object.fromEntries(
    Object.entries({ ...left, ...fields }).map(([name, { type }]) => [name, type.absent]),
  )
  return {
    write(values: Readonly<Record<string, unknown>>, to: Writer) {
      for (const { name, number, type, isOptional } of ordered) {
        const value = values[name]
        const isEmptyList = Array.isArray(value) && value.length === 0
        if (isOptional && (value === null || value === false || isEmptyList)) continue
        to.number(number)
        type.write(value, to)
      }
      to.number(end)
    },
    read(from: Reader) {
      const values: Record<string, unknown> = { ...blank }
      let missing = required
      let last = 0
      for (let number = from.byte(); number !== end; number = from.byte()) {
        const field = withNumber[number]
        if (field === undefined || number <= last) throw malformed
        values[field.name] = field.type.read(from)
        if (!field.isOptional) missing--
        last = number
      }
      if (missing > 0) throw malformed
      return values as RecordOf<Of>
    },
  }
}
