/** The common input of all pages: URL of the service, language, and brand. */
import type { Language } from '../model/language.ts'

/** The operator's own pages, in the order of the links at the foot. */
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
  /** The time zone that the owner chose; null = UTC. */
  readonly zone: string | null
  /** The query that keeps a requested language on links between pages; '' = none was requested. */
  readonly carried: string
  readonly brand: Brand
  /** When it is shown, in unix seconds. */
  readonly at: number
  /** The id of the request, as in the log: the reference of a refusal. */
  readonly requestId: string
}

/** The URL of one of our pages. Empty values of its query are left out. */
export const pageUrl = (
  { base, carried }: Pick<View, 'base' | 'carried'>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  const parameters = new URLSearchParams([...given, ...new URLSearchParams(carried)])
  return `${base}${path}${parameters.size === 0 ? '' : `?${parameters}`}`
}
