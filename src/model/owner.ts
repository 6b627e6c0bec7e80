/** A resource owner: a person who has things and lets clients reach some of them. */
import type { OwnerId } from './ids.ts'
import type { JsonObject } from './json.ts'

/** The `address` claim (OpenID Connect Core section 5.1.1). */
interface Address {
  /** The whole address, its lines separated by line feeds. */
  readonly formatted?: string
  readonly street_address?: string
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
}

/** Claims that are stored as they are told, by their names (OpenID Connect Core section 5.1). */
export interface OwnerClaims {
  readonly given_name?: string
  readonly family_name?: string
  readonly middle_name?: string
  readonly nickname?: string
  readonly profile?: string
  readonly picture?: string
  readonly website?: string
  readonly gender?: string
  readonly birthdate?: string
  readonly zoneinfo?: string
  readonly locale?: string
  readonly address?: Address
  readonly phone_number?: string
  readonly phone_number_verified?: boolean
}

/** What an owner chose for the pages of this service. Null: as the browser says; UTC. */
export interface PageChoices {
  readonly language: string | null
  /** An IANA time zone. */
  readonly zone: string | null
}

export const noPageChoices: PageChoices = { language: null, zone: null }

/** An owner as it is stored. */
export interface Owner {
  readonly id: OwnerId
  /** As the owner writes it. */
  readonly username: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly claims: OwnerClaims
  /** The operator's own facts about the owner. Words of the setting `claims` tell of them. */
  readonly attributes: JsonObject
  /** Words that the operator gives (`role.ts`), sorted. */
  readonly roles: readonly string[]
  /** Unix seconds of the latest change of what is told about the owner. */
  readonly updatedAt: number
  /** An argon2id hash in PHC form; '' until an invited owner has chosen a password. */
  readonly passwordHash: string
  /** Unix seconds; 0 = never. */
  readonly passwordChangedAt: number
  readonly disabled: boolean
  readonly createdAt: number
  readonly pages: PageChoices
  /** The random name of the picture, in the URL that it is served at; '' = none. */
  readonly pictureName: string
  /**
   * `ownPicture` once the owner chose one or none. A digest of the URL for a picture of an upstream;
   * '' = never any.
   */
  readonly pictureSource: string
  /** Unix seconds of the deletion that the owner asked for; null = none. Until then nothing but its undoing works. */
  readonly deletionAt: number | null
}

/** What the operator may change of an owner. Another email address is not verified, unless the change says so. */
export type OwnerChange = Partial<
  Pick<Owner, 'name' | 'email' | 'emailVerified' | 'claims' | 'attributes' | 'roles' | 'disabled'>
>

/**
 * The form for comparing and counting usernames: NFKC, lower case. So a person has one name and one
 * counter, however it is typed.
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFKC').toLowerCase().normalize('NFKC')

/** Roles of owners that open the console, the most powerful first. */
const consoleRoles = ['operator', 'auditor'] as const

/** `operator` may do everything in the console. `auditor` sees the same pages and changes nothing. */
export type ConsoleRole = (typeof consoleRoles)[number]

/** A role is one short word, so that a list of them is text with blanks. */
export const isRole = (text: string): boolean => /^[a-z][a-z0-9_:-]{0,39}$/.test(text)

/** The role of an owner in the console; null = no entry. */
export const findConsoleRole = ({ roles }: Pick<Owner, 'roles'>): ConsoleRole | null =>
  consoleRoles.find((role) => roles.includes(role)) ?? null

/** Whether roles open more of the console than others before. */
export const isRaised = (before: Pick<Owner, 'roles'>, after: Pick<Owner, 'roles'>): boolean => {
  const role = findConsoleRole(after)
  return role !== null && role !== findConsoleRole(before) && findConsoleRole(before) !== 'operator'
}
