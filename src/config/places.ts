/** The settings of places: the address of the service, its way out, and its database. */
import { resolve } from 'node:path'
import { parseIssuer, parseMtlsUrl } from './issuer.ts'
import {
  longSecret,
  type Parse,
  parseAddressRanges,
  parseHostName,
  parseHostNames,
  parseTextLike,
  parseWholeNumber,
  readContent,
  type SettingRows,
} from './values.ts'

const isPostgres = (text: string): boolean =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1

const parseStore = parseTextLike(
  { test: (text) => /^sqlite:./.test(text) || isPostgres(text) },
  'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
)

const hasPassword = (given: unknown): boolean => {
  if (typeof given !== 'string' || !isPostgres(given)) return false
  const { password, searchParams } = new URL(given)
  return password !== '' || searchParams.has('password')
}

/**
 * Why a URL may not be given as a flag, or null: everybody on the machine can read the arguments of a
 * process.
 *
 * @param flag such as `--store`
 * @param instead other ways to give the whole URL, such as `LATCHKEY_STORE_FILE`
 */
export const findPasswordFault = (flag: string, given: unknown, instead: string): string | null =>
  hasPassword(given)
    ? `${flag} must not hold a password, because every user of this machine can read it: put the password in PGPASSWORD or a password file (PGPASSFILE)${instead}`
    : null

/** The file of an embedded store; null where the store is elsewhere. */
export const findSqlitePath = ({ store }: { readonly store: string }): string | null =>
  store.startsWith('sqlite:') ? store.replace(/^sqlite:/, '') : null

/** A PEM file (RFC 7468) with certificates of authorities. */
const mostAuthorities = 200

const form = `the path of a PEM file with 1 to ${mostAuthorities} certificates of authorities`

const block = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

const parseAuthorities: Parse<readonly string[]> = (given, cwd) => {
  if (typeof given !== 'string' || given === '') return { expected: form }
  const content = readContent(resolve(cwd, given))
  if (content === null) return { expected: `${form}, which can be read` }
  const value = [...content.matchAll(block)].map(([, base64 = '']) => base64.replaceAll(/\s/g, ''))
  return value.length > 0 && value.length <= mostAuthorities ? { value } : { expected: form }
}

export const placeSettings = {
  port: {
    environment: 'PORT',
    takes: '<number>',
    parse: parseWholeNumber(0, 65535),
    fallback: 6749,
    meaning: 'The port it listens on; 0 takes a free one and prints it.',
    when: 'Another program has the port, or a proxy expects a certain one.',
  },
  host: {
    environment: 'HOST',
    takes: '<address>',
    parse: parseHostName,
    fallback: '127.0.0.1',
    meaning: 'The address it listens on.',
    when: 'Other machines reach the service without a proxy on this machine: 0.0.0.0 is every address.',
  },
  /** Without a slash at the end. Ends in `:0` until `getIssuer` knows the port. */
  issuer: {
    takes: '<url>',
    parse: parseIssuer,
    fallbackText: 'http://HOST:PORT',
    meaning:
      'The URL of the service, as clients use it. Must be https, unless its host is a loopback address.',
    when: 'Always outside the demo. It is in every token, so it should never change later.',
  },
  /** In lower case, without port. */
  hosts: {
    takes: '<list>',
    parse: parseHostNames,
    fallback: [],
    meaning:
      "Host names that are answered besides the issuer's. Any other is refused with 421, except for health checks.",
    when: 'The service has more names than one, such as one inside a network.',
  },
  trustedProxies: {
    takes: '<list>',
    parse: parseAddressRanges,
    fallback: [],
    meaning:
      'Addresses or ranges of trusted proxies. X-Forwarded-For and Client-Cert count only from these.',
    when: 'A proxy or load balancer stands in front. Otherwise all requests count as its own.',
  },
  /** DER in base64. */
  clientCa: {
    takes: '<file>',
    parse: parseAuthorities,
    fallback: [],
    meaning:
      'A PEM file with the authorities for certificates of clients (tls_client_auth): see mutual-tls.md.',
    when: 'Clients authenticate by certificates of your own authority.',
  },
  /** Without a slash at the end. */
  mtlsUrl: {
    takes: '<url>',
    parse: parseMtlsUrl,
    fallback: null,
    meaning:
      'The https URL at which the proxy asks clients for a certificate, in place of the issuer (mtls_endpoint_aliases).',
    when: 'The proxy asks for certificates under another host name or port than that of the issuer.',
  },
  fetchAllow: {
    takes: '<list>',
    parse: parseAddressRanges,
    fallback: [],
    meaning:
      'Private addresses or ranges that the service may fetch from over https. They count for upstreams, webhooks and clients of the operator only. Public ones are always allowed.',
    when: 'An upstream, a webhook or a client of yours is in a private network.',
  },
  store: {
    takes: '<url>',
    parse: parseStore,
    fallback: 'sqlite:./data/latchkey.db',
    meaning:
      'The database: sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE for any number of nodes. The flag takes no password; PGPASSWORD does.',
    when: 'The file belongs elsewhere, or several nodes share one PostgreSQL.',
    secret: true,
  },
  cacheMegabytes: {
    environment: 'LATCHKEY_CACHE_MB',
    takes: '<number>',
    parse: parseWholeNumber(0, 4096),
    fallback: 22,
    meaning: 'Memory for what was read from the database, in MB, on each node. 0 caches nothing.',
    when: 'Memory is short, or many tokens are in use and the database reads much.',
  },
  secret: {
    parse: longSecret,
    fallback: null,
    fallbackText: 'a key file beside the database; on PostgreSQL none, and then on loopback only',
    meaning: 'The root secret. It wraps the keys that seal tokens; the same on every node.',
    when: 'Always with PostgreSQL. With SQLite, where the key must not lie beside the database.',
    secret: true,
  },
  previousSecret: {
    parse: longSecret,
    fallback: null,
    meaning: 'The previous root secret, while the root secret changes: see docs/keys.md.',
    when: 'The root secret changes. Remove it once the log says that all keys are wrapped anew.',
    secret: true,
  },
} as const satisfies SettingRows
