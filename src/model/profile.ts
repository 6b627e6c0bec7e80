/** Security profiles, from the mildest to the strictest: each forbids what those before it do, and more. */

export const profiles = ['spec', 'oauth-2.1', 'fapi-2.0'] as const

/** A profile by its name in `LATCHKEY_PROFILE` and in the member `profile` of a client. */
export type SecurityProfile = (typeof profiles)[number]

/** Whether a profile is at least as strict as another one. */
export const isAsStrict = (one: SecurityProfile, other: SecurityProfile): boolean =>
  profiles.indexOf(one) >= profiles.indexOf(other)
