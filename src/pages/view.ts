/** What every page is given: where the service lives, the language, and whose service it is. */
import type { Language } from '../model/language.ts'

/** Pages of the operator's own, in the order in which they stand at the foot of ours. */
export const linkKinds = ['help', 'privacy', 'terms'] as const

export interface BrandLink {
  readonly kind: (typeof linkKinds)[number]
  readonly url: string
}

/** How the operator wants to be seen, in the language of the view. */
export interface Brand {
  readonly name: string
  /** Whether there is a picture at `/assets/logo`; else the key is shown. */
  readonly hasLogo: boolean
  /** Said on the login page; null = nothing. */
  readonly loginText: string | null
  readonly links: readonly BrandLink[]
}

export interface View {
  /** The path of the issuer, without a trailing slash: '' for a service at the root of its host. */
  readonly base: string
  readonly language: Language
  /** The query that keeps a language that was asked for, on every way to another page of ours; '' = none was. */
  readonly carried: string
  readonly brand: Brand
  /** When it is shown, in unix seconds. */
  readonly at: number
}

/** Where a page of ours is. What is '' in its query is left out. */
export const pageUrl = (
  { base, carried }: Pick<View, 'base' | 'carried'>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  const parameters = new URLSearchParams([...given, ...new URLSearchParams(carried)])
  return `${base}${path}${parameters.size === 0 ? '' : `?${parameters}`}`
}
