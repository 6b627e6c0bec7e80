/** A resource of SCIM, or a part of one, as JSON has it. */

export type ScimMembers = Readonly<Record<string, unknown>>
