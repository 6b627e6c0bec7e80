/** The words a scope may hold beside permissions, and the claims of each (OpenID Connect Core sections 5.4 and 11). */

/** The claims that a word asks for. This is the only list of the words. */
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
  offline_access: [],
} as const

/** A reserved word of a scope, such as `profile`. */
export type ScopeWord = keyof typeof claimsOfWord

export type ClaimName = (typeof claimsOfWord)[ScopeWord][number]

/** The word that asks for a claim; null for a claim that no word asks for. */
export const wordOfClaim = (claim: string): ScopeWord | null =>
  shownWords.find((word) => claimsOfWord[word].some((name) => name === claim)) ?? null

/** In the order in which pages show them. */
export const shownWords = Object.keys(claimsOfWord) as readonly ScopeWord[]

/** In alphabetical order, as in every set of permissions. */
export const scopeWords = shownWords.toSorted()

export const isScopeWord = (name: string): name is ScopeWord => Object.hasOwn(claimsOfWord, name)

/** The words that let `/userinfo` tell something: `sub` at least. */
export const userinfoWords = scopeWords.filter((word) => word !== 'offline_access')

/**
 * Whether the owner can refuse the word and still allow the rest. `openid` is about the request itself,
 * and a refresh token is issued with or without `offline_access`.
 */
export const isRefusable = (word: ScopeWord): boolean =>
  word !== 'openid' && word !== 'offline_access'

/** `offline_access` alone allows nothing: it only says how long the rest lasts. */
export const allowsNothing = (names: readonly string[]): boolean =>
  names.every((name) => name === 'offline_access')
