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
