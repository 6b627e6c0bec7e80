/** The claims about an owner that words of a scope ask for (OpenID Connect Core sections 5.1 and 5.4). */
import type { Owner, OwnerClaims } from '../model/owner.ts'
import { type ClaimName, claimsOfWord, type ScopeWord } from '../model/scope-word.ts'

export type Claims = Readonly<Partial<Record<ClaimName, OwnerClaims[keyof OwnerClaims] | number>>>

/** All known claims, by their names. */
const allClaims = ({ username, name, email, emailVerified, claims, updatedAt }: Owner): Claims => ({
  ...claims,
  name,
  preferred_username: username,
  updated_at: updatedAt,
  ...(email === '' ? {} : { email, email_verified: emailVerified }),
})

/** The claims of the words, without unknown ones (section 5.3.2). */
export const claimsOf = (owner: Owner, words: readonly ScopeWord[]): Claims => {
  const all = allClaims(owner)
  const asked = words.flatMap((word): readonly ClaimName[] => claimsOfWord[word])
  const known = asked.filter((name) => all[name] !== undefined && all[name] !== '')
  return Object.fromEntries(known.map((name) => [name, all[name]]))
}

/** The claims of a word as texts for its owner, without `updated_at` and flags. */
export const shownValues = (owner: Owner, word: ScopeWord): readonly string[] => {
  const { updated_at: _, address, ...others } = claimsOf(owner, [word])
  const texts = [
    ...Object.values(others),
    ...(typeof address === 'object' ? addressLines(address) : []),
  ]
  return [...new Set(texts.filter((value) => typeof value === 'string'))]
}

const addressLines = ({ formatted, ...members }: NonNullable<OwnerClaims['address']>) =>
  formatted === undefined ? Object.values(members) : formatted.split('\n')
