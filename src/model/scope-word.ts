/** The words a scope may hold beside permissions, and the claims of each (OpenID Connect Core sections 5.4 and 11). */
import { featureApis } from '../features/apis.ts'
import type { Text } from './language.ts'

declare const own: unique symbol
/** A word that the operator adds by the setting `claims`, such as `department`. */
export type OwnWord = string & { readonly [own]: true }

/** What a word of the operator's own asks for. */
export interface OwnClaims {
  readonly word: OwnWord
  /** Each is the member of the attributes with its name. */
  readonly claims: readonly string[]
  /** In lists, such as of what happened. */
  readonly title: Text
  /** What it lets an application do; null = it sees the title. */
  readonly text: Text | null
}

/** The claims that a word asks for: the words of OpenID Connect, and `groups` as many providers have it. */
export const claimsOfWord = {
  openid: [],
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
  groups: ['groups'],
  offline_access: [],
} as const

type StandardWord = keyof typeof claimsOfWord

/** A word of a scope, such as `profile`: one of OpenID Connect, or one of the operator's own. */
export type ScopeWord = StandardWord | OwnWord

/** The word that asks for a claim; null for a claim that no word asks for. */
export const findClaimWord = (claim: string, own: readonly OwnClaims[]): ScopeWord | null =>
  listWords(own).find((word) => claimNames(word, own).includes(claim)) ?? null

/** The claims of a word. */
export const claimNames = (word: ScopeWord, own: readonly OwnClaims[]): readonly string[] =>
  isStandardWord(word) ? claimsOfWord[word] : (own.find((one) => one.word === word)?.claims ?? [])

/** In the order in which pages show them. */
export const listWords = (own: readonly OwnClaims[]): readonly ScopeWord[] => [
  ...(Object.keys(claimsOfWord) as readonly StandardWord[]),
  ...own.map(({ word }) => word),
]

/** In alphabetical order, as in every set of permissions. */
export const sortWords = (own: readonly OwnClaims[]): readonly ScopeWord[] =>
  listWords(own).toSorted()

export const isStandardWord = (name: string): name is StandardWord =>
  Object.hasOwn(claimsOfWord, name)

/**
 * Permissions of clients at the service itself: over grants (Grant Management section 6.1), and over streams
 * of signals (CAEP Interoperability Profile section 2.7.3). Each is over things of the client alone, so any client may
 * have it.
 */
export const clientPermissions = [
  'grant_management_query',
  'grant_management_revoke',
  'ssf.manage',
  'ssf.read',
] as const

/** A permission of a client at the service itself. No owner grants it. */
export type ClientPermission = (typeof clientPermissions)[number]

const ofClients: readonly string[] = clientPermissions

/** A permission that opens an API of a feature. The operator gives it to a client. */
export type ApiPermission = (typeof featureApis)[number]['permission']

export const apiPermissions: readonly ApiPermission[] = featureApis.map((api) => api.permission)

const withoutColon: readonly string[] = [...clientPermissions, ...apiPermissions]

export const isClientPermission = (name: string): name is ClientPermission =>
  ofClients.includes(name)

/** Of the names in a set of permissions: the permission of an owner has a colon, and no word has one. */
export const isScopeWord = (name: string): name is ScopeWord =>
  !name.includes(':') && !withoutColon.includes(name)

/** Whether the word lets `/userinfo` tell something: `sub` at least. */
export const isTold = (word: ScopeWord): boolean => word !== 'offline_access'

/**
 * Whether the owner can refuse the word and still allow the rest. `openid` is about the request itself,
 * and a refresh token is issued with or without `offline_access`.
 */
export const isRefusable = (word: ScopeWord): boolean =>
  word !== 'openid' && word !== 'offline_access'

/** `offline_access` alone allows nothing: it only says how long the rest lasts. */
export const isOnlyOffline = (names: readonly string[]): boolean =>
  names.every((name) => name === 'offline_access')
