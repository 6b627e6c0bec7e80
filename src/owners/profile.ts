/** The claims of an owner as operators may write them (OpenID Connect Core section 5.1), and the profile as its owner writes it. */

import type { JsonObject } from '../model/json.ts'
import type { Language } from '../model/language.ts'
import { isRole, type Owner, type OwnerClaims } from '../model/owner.ts'
import { type Parameters, parameterLimits } from '../protocol/parameters.ts'
import { makeSchema, type Z } from '../protocol/schema.ts'
import { parseWebUri } from '../protocol/web-uri.ts'
import type { Profile } from '../store/contract/owner.ts'
import { ownerLimits } from './limits.ts'

const line = /^[^\p{Cc}\p{Cs}]*$/u
/** Only an address as a whole has lines. */
const lines = /^(?:[^\p{Cc}\p{Cs}]|\n)*$/u

export const normalize = (text: string): string => text.normalize('NFC')

export const defineName = (z: Z) =>
  z
    .string()
    .transform(normalize)
    .pipe(
      z
        .string()
        .max(ownerLimits.personNameCharacters)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u),
    )
    .optional()
    .describe(
      `text of at most ${ownerLimits.personNameCharacters} characters without control characters`,
    )

/** A claim without a value is left out. */
const pickFilled = <Members extends object>(members: Members) =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== ''),
  )

/** All claims are replaced together, so that a set of claims stays whole. */
export const defineClaims = (z: Z) => {
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
    .transform(pickFilled)
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
    .transform((claims): OwnerClaims => pickFilled(claims))
    .optional()
    .describe(
      `an object of claims such as given_name, picture, address and phone_number, each text of at most ${parameterLimits.textCharacters} characters; URLs begin with http, birthdate is YYYY-MM-DD`,
    )
}

/** All attributes are replaced together. */
export const defineAttributes = (z: Z) =>
  z
    .record(z.string().regex(/^[A-Za-z0-9_.:/-]{1,100}$/), z.json())
    .refine((members) => JSON.stringify(members).length <= ownerLimits.attributeCharacters)
    .transform((members): JsonObject => members)
    .optional()
    .describe(
      `an object of at most ${ownerLimits.attributeCharacters} characters, with names of letters, digits and _ . : / -`,
    )

/** Sorted, each once. */
export const defineRoles = (z: Z) =>
  z
    .array(z.string().refine(isRole))
    .max(ownerLimits.roles)
    .transform((roles): readonly string[] => [...new Set(roles)].sort())
    .optional()
    .describe(
      `a list of at most ${ownerLimits.roles} roles, each of 1 to 40 lower-case letters, digits and _ : -, a letter first`,
    )

/** Members of the form with one line of text, named as the claims are. */
export const textFields = [
  'given_name',
  'family_name',
  'nickname',
  'picture',
  'profile',
  'website',
  'gender',
  'birthdate',
  'phone_number',
] as const

export const addressFields = [
  'street_address',
  'postal_code',
  'locality',
  'region',
  'country',
] as const

export type ProfileField =
  | 'name'
  | (typeof textFields)[number]
  | (typeof addressFields)[number]
  | 'language'
  | 'zone'

const schema = makeSchema((z) => z.strictObject({ name: defineName(z), claims: defineClaims(z) }))

/** Offsets such as `+01:00` are no zones of the IANA database, and there is no end of them. */
const isZone = (text: string): boolean => {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** The picture is only ever told to applications. Nothing of this service loads it. */
const isPicture = (text: string): boolean => URL.parse(text)?.protocol === 'https:'

/** 2027-13-45 is no day. 31 February would be one in March. */
const isDay = (text: string): boolean => {
  const at = new Date(text)
  return Number.isFinite(at.getTime()) && at.toISOString().startsWith(text)
}

type AddressClaim = NonNullable<OwnerClaims['address']>

/** The whole address follows from its parts. One that is not changed stays as it is. */
const readAddress = (form: Parameters, before: AddressClaim): AddressClaim | undefined => {
  const parts = Object.fromEntries(
    addressFields.map((field) => [field, form.find(field)?.replaceAll('\r\n', '\n') ?? '']),
  ) as Required<Omit<AddressClaim, 'formatted'>>
  if (addressFields.every((field) => parts[field] === fillAddress(before)[field])) return before
  const place = [parts.postal_code, parts.locality].filter(Boolean).join(' ')
  const formatted = [parts.street_address, place, parts.region, parts.country]
    .filter(Boolean)
    .join('\n')
  return formatted === '' ? undefined : { ...parts, formatted }
}

/** An address without parts is shown in the first one. */
export const fillAddress = (address: AddressClaim): Required<Omit<AddressClaim, 'formatted'>> => {
  const { formatted = '', ...parts } = address
  const isWhole = Object.keys(parts).length === 0
  const empty = { street_address: '', postal_code: '', locality: '', region: '', country: '' }
  return isWhole ? { ...empty, street_address: formatted } : { ...empty, ...parts }
}

/** The phone number counts as verified only as long as it stays. */
const readClaims = (
  form: Parameters,
  { claims, pages }: Owner,
  language: Language | null,
): OwnerClaims => {
  const { phone_number_verified: verified, address: earlier, zoneinfo: told, ...kept } = claims
  const texts = Object.fromEntries(textFields.map((field) => [field, form.find(field) ?? '']))
  // A zone that was chosen for pages goes with that choice. One of the operator stays.
  const zoneinfo = form.find('zone') ?? (told === pages.zone ? undefined : told)
  const address = readAddress(form, earlier ?? {})
  const isSame = texts.phone_number === claims.phone_number
  return {
    ...kept,
    ...texts,
    ...(zoneinfo === undefined ? {} : { zoneinfo }),
    ...(language !== null && !kept.locale?.startsWith(language.tag)
      ? { locale: language.lang }
      : {}),
    ...(address === undefined || Object.keys(address).length === 0 ? {} : { address }),
    ...(isSame && verified !== undefined ? { phone_number_verified: verified } : {}),
  }
}

/** The field at fault; null where the choices fit. */
const findChoiceFault = (
  form: Parameters,
  { claims }: Owner,
  language: Language | null,
): ProfileField | null => {
  const picture = form.find('picture') ?? ''
  if (picture !== '' && picture !== claims.picture && !isPicture(picture)) return 'picture'
  const birthdate = form.find('birthdate') ?? ''
  if (birthdate !== '' && birthdate !== claims.birthdate && !isDay(birthdate)) return 'birthdate'
  const zone = form.find('zone')
  if (zone !== null && !isZone(zone)) return 'zone'
  return form.find('language') === null || language !== null ? null : 'language'
}

/** What a form makes of the profile, or the field at fault. */
export const parseProfile = (
  form: Parameters,
  owner: Owner,
  languages: readonly Language[],
): Profile | ProfileField => {
  const language = languages.find(({ tag }) => tag === form.find('language')) ?? null
  const fault = findChoiceFault(form, owner, language)
  if (fault !== null) return fault
  const given = { name: form.find('name') ?? '', claims: readClaims(form, owner, language) }
  const parsed = schema().safeParse(given)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path ?? []
    return (path.at(-1) ?? 'name') as ProfileField
  }
  return {
    name: parsed.data.name ?? '',
    claims: parsed.data.claims ?? {},
    pages: { language: language?.tag ?? null, zone: form.find('zone') },
  }
}

export const listChangedMembers = (before: Profile, after: Profile): readonly string[] => {
  const flat = ({ name, claims, pages }: Profile) => ({ name, ...claims, ...pages })
  const [was, is]: readonly Record<string, unknown>[] = [flat(before), flat(after)]
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  return [...names]
    .filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]))
    .sort()
}
