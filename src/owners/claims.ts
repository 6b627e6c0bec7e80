/** The claims about an owner that words of a scope ask for (OpenID Connect Core sections 5.1 and 5.4). */
import type { Owner, OwnerClaims } from '../model/owner.ts'
import { type ClaimName, claimsOfWord, isScopeWord, type ScopeWord } from '../model/scope-word.ts'
import type { Terms } from '../model/terms.ts'

export type Claims = Readonly<Partial<Record<ClaimName, OwnerClaims[keyof OwnerClaims] | number>>>

/** All known claims, by their names. */
const allClaims = ({ username, name, email, emailVerified, claims, updatedAt }: Owner): Claims => ({
  ...claims,
  name,
  preferred_username: username,
  updated_at: updatedAt,
  ...(email === '' ? {} : { email, email_verified: emailVerified }),
})

/** The named claims, without unknown ones (section 5.3.2). */
export const claimsNamed = (owner: Owner, names: readonly ClaimName[]): Claims => {
  const all = allClaims(owner)
  const known = names.filter((name) => all[name] !== undefined && all[name] !== '')
  return Object.fromEntries(known.map((name) => [name, all[name]]))
}

const namesOf = (words: readonly ScopeWord[]): readonly ClaimName[] =>
  words.flatMap((word): readonly ClaimName[] => claimsOfWord[word])

type ToldTerms = Pick<Terms, 'permissions' | 'claims'>

/** All claims of the words in the scope. A word that only a single claim asked for is not in it. */
const namesOfScope = ({ permissions, claims }: ToldTerms): readonly ClaimName[] =>
  namesOf(permissions.filter(isScopeWord).filter((word) => !claims?.alone.includes(word)))

/** Single claims, as far as the owner still allows their words. */
const singleNames = (
  { permissions, claims }: ToldTerms,
  from: 'userinfo' | 'idToken',
): readonly ClaimName[] => {
  const allowed = namesOf(permissions.filter(isScopeWord))
  return allowed.filter((name) => claims?.[from].includes(name))
}

/** The names of the claims that `/userinfo` tells (sections 5.4 and 5.5). */
export const userinfoNames = (terms: ToldTerms): readonly ClaimName[] => [
  ...new Set([...namesOfScope(terms), ...singleNames(terms, 'userinfo')]),
]

/**
 * The names of the claims that an ID token tells.
 *
 * @param isAlone no access token comes with it, so nothing else can tell the claims of the scope
 */
export const idTokenNames = (terms: ToldTerms, isAlone: boolean): readonly ClaimName[] => [
  ...new Set([...(isAlone ? namesOfScope(terms) : []), ...singleNames(terms, 'idToken')]),
]

/** The claims of a word as texts for its owner, without `updated_at` and flags. */
export const shownValues = (owner: Owner, word: ScopeWord): readonly string[] => {
  const { updated_at: _, address, ...others } = claimsNamed(owner, namesOf([word]))
  const texts = [
    ...Object.values(others),
    ...(typeof address === 'object' ? addressLines(address) : []),
  ]
  return [...new Set(texts.filter((value) => typeof value === 'string'))]
}

const addressLines = ({ formatted, ...members }: NonNullable<OwnerClaims['address']>) =>
  formatted === undefined ? Object.values(members) : formatted.split('\n')
