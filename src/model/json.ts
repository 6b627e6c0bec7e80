/** Values that JSON can write (RFC 8259). */

/** Whatever JSON can write. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

/** An object that JSON can write. */
export type JsonObject = { readonly [member: string]: JsonValue }

/** Whether a value is an object of named members, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
