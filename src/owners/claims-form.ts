/** What an operator may write into the claims of an owner (OpenID Connect Core section 5.1). */
import type { JsonObject } from '../model/json.ts'
import { isRole, type OwnerClaims } from '../model/owner.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import type { Z } from '../protocol/schema.ts'
import { parseWebUri } from '../protocol/web-uri.ts'
import { ownerLimits } from './limits.ts'

const line = /^[^\p{Cc}\p{Cs}]*$/u
/** Only an address as a whole has lines. */
const lines = /^(?:[^\p{Cc}\p{Cs}]|\n)*$/u

/** A claim without a value is left out. */
const filled = <Members extends object>(members: Members) =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== ''),
  )

/** All of them are replaced together, so that what belongs together stays so. */
export const claimsSchema = (z: Z) => {
  const text = z.string().max(parameterLimits.textCharacters).regex(line).optional()
  const page = text.refine((value) => !value || parseWebUri(value) !== null)
  const address = z
    .strictObject({
      formatted: z.string().max(parameterLimits.textCharacters).regex(lines).optional(),
      street_address: z.string().max(parameterLimits.textCharacters).regex(lines).optional(),
      locality: text,
      region: text,
      postal_code: text,
      country: text,
    })
    .transform(filled)
    .optional()
  return z
    .strictObject({
      given_name: text,
      family_name: text,
      middle_name: text,
      nickname: text,
      profile: page,
      picture: page,
      website: page,
      gender: text,
      // Year alone, or a whole day; the year 0000 says that it is not told.
      birthdate: z
        .string()
        .regex(/^(?:\d{4}(?:-\d\d-\d\d)?)?$/)
        .optional(),
      zoneinfo: text,
      locale: text,
      address,
      phone_number: text,
      phone_number_verified: z.boolean().optional(),
    })
    .transform((claims): OwnerClaims => filled(claims))
    .optional()
    .describe(
      `an object of claims such as given_name, picture, address and phone_number, each text of at most ${parameterLimits.textCharacters} characters; URLs begin with http, birthdate is YYYY-MM-DD`,
    )
}

/** All of them are replaced together. */
export const attributesSchema = (z: Z) =>
  z
    .record(z.string().regex(/^[A-Za-z0-9_.:/-]{1,100}$/), z.json())
    .refine((members) => JSON.stringify(members).length <= ownerLimits.attributeCharacters)
    .transform((members): JsonObject => members)
    .optional()
    .describe(
      `an object of at most ${ownerLimits.attributeCharacters} characters, with names of letters, digits and _ . : / -`,
    )

/** Sorted, each once. */
export const rolesSchema = (z: Z) =>
  z
    .array(z.string().refine(isRole))
    .max(ownerLimits.roles)
    .transform((roles): readonly string[] => [...new Set(roles)].sort())
    .optional()
    .describe(
      `a list of at most ${ownerLimits.roles} roles, each of 1 to 40 lower-case letters, digits and _ : -, a letter first`,
    )
