/** Values that JSON can write (RFC 8259). */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

export type JsonObject = { readonly [member: string]: JsonValue }
