/** The profile as its owner writes it: its fields and their values. */
import type { Language } from '../model/language.ts'
import type { Owner, OwnerClaims } from '../model/owner.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { schemaOf } from '../protocol/schema.ts'
import type { Profile } from '../store/store.ts'
import { claimsSchema } from './claims-form.ts'
import { nameSchema } from './registration.ts'

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

const schema = schemaOf((z) => z.strictObject({ name: nameSchema(z), claims: claimsSchema(z) }))

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

/** The choice of a language; null where there is none, or no such language. */
const chosenIn = (form: Parameters, languages: readonly Language[]): Language | null =>
  languages.find(({ tag }) => tag === form.find('language')) ?? null

type AddressClaim = NonNullable<OwnerClaims['address']>

/** The whole address follows from its parts. One that is not changed stays as it is. */
const addressIn = (form: Parameters, before: AddressClaim): AddressClaim | undefined => {
  const parts = Object.fromEntries(
    addressFields.map((field) => [field, form.find(field)?.replaceAll('\r\n', '\n') ?? '']),
  ) as Required<Omit<AddressClaim, 'formatted'>>
  if (addressFields.every((field) => parts[field] === shownAddress(before)[field])) return before
  const place = [parts.postal_code, parts.locality].filter(Boolean).join(' ')
  const formatted = [parts.street_address, place, parts.region, parts.country]
    .filter(Boolean)
    .join('\n')
  return formatted === '' ? undefined : { ...parts, formatted }
}

/** An address without parts is shown in the first one. */
export const shownAddress = (address: AddressClaim): Required<Omit<AddressClaim, 'formatted'>> => {
  const { formatted = '', ...parts } = address
  const isWhole = Object.keys(parts).length === 0
  const empty = { street_address: '', postal_code: '', locality: '', region: '', country: '' }
  return isWhole ? { ...empty, street_address: formatted } : { ...empty, ...parts }
}

/** The phone number counts as verified only as long as it stays. */
const claimsIn = (
  form: Parameters,
  { claims, pages }: Owner,
  language: Language | null,
): OwnerClaims => {
  const { phone_number_verified: verified, address: earlier, zoneinfo: told, ...kept } = claims
  const texts = Object.fromEntries(textFields.map((field) => [field, form.find(field) ?? '']))
  // A zone that was chosen for pages goes with that choice. One of the operator stays.
  const zoneinfo = form.find('zone') ?? (told === pages.zone ? undefined : told)
  const address = addressIn(form, earlier ?? {})
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
const choiceFault = (
  form: Parameters,
  { claims }: Owner,
  language: Language | null,
): ProfileField | null => {
  const picture = form.find('picture') ?? ''
  if (picture !== '' && picture !== claims.picture && !isPicture(picture)) return 'picture'
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
  const language = chosenIn(form, languages)
  const fault = choiceFault(form, owner, language)
  if (fault !== null) return fault
  const given = { name: form.find('name') ?? '', claims: claimsIn(form, owner, language) }
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

/** The names of the members that differ. */
export const changedMembers = (before: Profile, after: Profile): readonly string[] => {
  const flat = ({ name, claims, pages }: Profile) => ({ name, ...claims, ...pages })
  const [was, is]: readonly Record<string, unknown>[] = [flat(before), flat(after)]
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  return [...names]
    .filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]))
    .sort()
}
