/** Reading columns: a value of the wrong kind means a damaged row, and is never made to fit. */
import type { Permissions, ScopeName } from '../../model/resource.ts'
import { StoreFault } from '../fault.ts'
import type { Row, Rows, Value } from './statement.ts'

const unreadable = (): StoreFault =>
  new StoreFault('unreadable', 'the store holds a row that cannot be read')

export const text = (value: Value | undefined): string => {
  if (typeof value !== 'string') throw unreadable()
  return value
}

export const integer = (value: Value | undefined): number => {
  if (typeof value !== 'number') throw unreadable()
  return value
}

export const integerOrNull = (value: Value | undefined): number | null =>
  value === null ? null : integer(value)

export const textOrNull = (value: Value | undefined): string | null =>
  value === null ? null : text(value)

export const flag = (value: Value | undefined): boolean => integer(value) !== 0

/** JSON text; a message of the parser could quote what is stored, so it is not passed on. */
export const json = (value: Value | undefined): unknown => {
  const source = text(value)
  try {
    return JSON.parse(source)
  } catch {
    throw unreadable()
  }
}

/** JSON, or an empty text for null. */
export const blank = (value: Value | undefined): unknown => (value === '' ? null : json(value))

/** Permissions are kept as they are written in a scope, which is quicker to read than JSON. */
export const permissions = (value: Value | undefined): Permissions => {
  const source = text(value)
  return source === '' ? [] : (source.split(' ') as ScopeName[])
}

export const permissionsText = (list: Permissions): string => list.join(' ')

/** The only row of an answer, or null. */
export const findFirst = (rows: Rows): Row | null => rows[0] ?? null
