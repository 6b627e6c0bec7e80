/** What there is to say of a URL. Each room lists its rows in its `index.ts`. */
import type { Askable } from './access/permission.ts'
import type { Settings } from './config/settings.ts'
import type { Answer } from './http/answer.ts'
import type { Exchange, WayBack } from './http/exchange.ts'
import type { Language } from './model/language.ts'
import type { Refusal } from './protocol/refusal.ts'
import type { Registries } from './registries.ts'

export type Handler = (exchange: Exchange) => Promise<Answer> | Answer

/** What the metadata of the service follow from. */
export interface MetadataParts {
  readonly settings: Settings
  readonly languages: readonly Language[]
  readonly registries: Registries
  readonly resources: Askable
}

/**
 * Members of the authorization server metadata, as they are under the settings and registries of this
 * service (RFC 8414 section 2).
 */
export type MetadataFragment = (given: MetadataParts) => Readonly<Record<string, unknown>>

/** How an API with errors of a form of its own writes them. */
export type WriteRefusal = (
  refusal: Refusal,
  exchange: Exchange,
  site: { readonly issuer: string; readonly errorUri: string | null },
) => Answer

export type RefusedAs = 'json' | 'bearer' | 'problem' | 'page' | WriteRefusal

/** One method of one URL. */
export interface RouteRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `{base_url}`; `:name` takes one part of the path. */
  readonly path: string
  readonly handler: Handler
  readonly refusedAs: RefusedAs
  /** Whether pages of other origins may read its answers (Fetch, CORS protocol). Otherwise none may. */
  readonly cors?: 'open'
  /** `never`: its refusals neither count against an address, nor become 429 where there were too many. */
  readonly limited?: 'never'
  /** Whether it answers under any host name. Its answers hold no link by the host name. */
  readonly anyHost?: true
  /** The page that a login leads back to. By default the path says it. */
  readonly back?: WayBack
  /** Whether a confirmation leads back to it: the pages for whoever has just shown the password. */
  readonly isConfirmed?: true
  /** The operations of a page of the console: the route of each, such as `GET /admin/api/keys`. */
  readonly offers?: readonly string[]
  /** Whether the page is the list of such an operation. */
  readonly isList?: true
  readonly metadata?: MetadataFragment
}

/** Beginnings of rows. */
export const page = { refusedAs: 'page' } as const
export const json = { refusedAs: 'json' } as const
export const openJson = { refusedAs: 'json', cors: 'open' } as const
export const bearer = { refusedAs: 'bearer', cors: 'open' } as const
export const problem = { refusedAs: 'problem' } as const
/** The rows of a page with a form: GET shows it, and POST takes what was sent. @param shown of the row for GET */
export const makeRows = (
  path: string,
  show: Handler,
  take: Handler,
  shown: Partial<RouteRow> = {},
): readonly RouteRow[] => [
  { ...page, method: 'GET', path, handler: show, ...shown },
  { ...page, method: 'POST', path, handler: take },
]
/** A file that pages load. */
export const asset = { method: 'GET', refusedAs: 'page', limited: 'never' } as const
export const published = { ...openJson, method: 'GET', limited: 'never' } as const
/** What monitors and proxies ask, by the address of a node. */
export const monitored = { ...json, method: 'GET', limited: 'never', anyHost: true } as const
