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

/** The value of a text in JSON; undefined for any other text. */
export const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of bytes; null if they are no UTF-8, as JSON has to be (section 8.1). */
export const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
