/**
 * Records of named fields. Each field is written as its number and its value, so no content can make one
 * field look like another. An absent field takes no room.
 *
 * A number is never used again, and a field with a new meaning gets a new number. So a newer version
 * reads what an older one wrote. An older version refuses an unknown field, which may be a restriction.
 */
import { malformed, type Reader, type Writer } from './bytes.ts'
import type { Type } from './types.ts'

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

/** Whether a value is one that an optional field leaves out. */
const isBlank = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0)

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
        if (isOptional && isBlank(value)) continue
        to.byte(number)
        type.write(value, to)
      }
      to.byte(end)
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
