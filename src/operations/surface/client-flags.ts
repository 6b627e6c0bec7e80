/** The flags of `latchkey client ...`, and the members they give. */
import { publicMethod } from '../../model/client.ts'
import { parseJson } from '../../model/json.ts'
import { jwsAlgorithms } from '../../model/key.ts'
import { type CommandFlag, parsePair, pickGivenMembers, readNumber } from './cli.ts'
import { type JsonRow, joinTexts, renderMembers, renderRows, renderTime, show } from './said.ts'

export const clientFlags: readonly CommandFlag[] = [
  [
    '--auth-method <method>',
    'how it proves who it is, such as private_key_jwt (default: client_secret_basic)',
  ],
  ['--jwks-uri <url>', 'where its public keys are; --set jwks=... gives them by value'],
  ['--redirect <uri...>', 'where people may be sent back to'],
  [
    '--grant <type...>',
    'grant types (default with --redirect: authorization_code refresh_token, and implicit if a response type needs it)',
  ],
  ['--scope <name...>', 'all it may ever ask for (default: everything owners have)'],
  ['--required-scope <name...>', 'what it cannot work without'],
  [
    '--details-type <name...>',
    'resources that it may ask for in detail (default: those of its scope)',
  ],
  ['--response-type <type...>', 'response types (default: code)'],
  ['--id-token-alg <algorithm>', `${jwsAlgorithms.join(', ')} (default: RS256)`],
  ['--post-logout-redirect <uri...>', 'where people may be sent after a logout'],
  ['--back-channel-logout <uri>', 'told when somebody has logged out'],
  ['--front-channel-logout <uri>', 'shown in a frame when somebody has logged out'],
  ['--access-token-seconds <seconds>', 'how long its access tokens live, or: unlimited'],
  ['--refresh-token-seconds <seconds>', 'how long its refresh tokens live'],
  ['--set <member=value...>', 'any other member of the admin API; the value may be JSON'],
]

const joinWords = (value: unknown): string | undefined =>
  Array.isArray(value) ? value.join(' ') : undefined

/** Seconds, or `unlimited`. The service refuses anything else. */
const parseSeconds = (value: unknown): unknown => {
  if (value === undefined) return undefined
  return value === 'unlimited' ? null : readNumber(value)
}

/** `--set name=JSON`: any member that has no flag of its own. */
const parseSet = (given: unknown): JsonRow => {
  if (!Array.isArray(given)) return {}
  const entries = given.map((text: string) => {
    const [name, value] = parsePair(text, '--set is written member=value')
    const parsed = parseJson(value)
    return [name, parsed === undefined ? value : parsed]
  })
  return Object.fromEntries(entries)
}

/** Flags in the words of RFC 7591; what is not said is left to the service. */
export const readMetadata = (flags: JsonRow): JsonRow =>
  pickGivenMembers({
    client_name: flags.name,
    redirect_uris: flags.redirect,
    grant_types: flags.grant,
    response_types: flags.responseType,
    id_token_signed_response_alg: flags.idTokenAlg,
    post_logout_redirect_uris: flags.postLogoutRedirect,
    backchannel_logout_uri: flags.backChannelLogout,
    frontchannel_logout_uri: flags.frontChannelLogout,
    scope: joinWords(flags.scope),
    required_scope: joinWords(flags.requiredScope),
    authorization_details_types: flags.detailsType,
    token_endpoint_auth_method: flags.public === true ? publicMethod : flags.authMethod,
    jwks_uri: flags.jwksUri,
    trusted: flags.trusted,
    may_introspect: flags.mayIntrospect,
    access_token_seconds: parseSeconds(flags.accessTokenSeconds),
    refresh_token_seconds: parseSeconds(flags.refreshTokenSeconds),
    ...parseSet(flags.set),
  })

/**
 * A client with redirect URIs wants codes, and tokens that outlast an hour. Other response types need
 * the implicit grant beside them (OpenID Connect Registration section 2).
 */
const listDefaultGrants = ({ responseType }: JsonRow): readonly string[] => {
  const types = Array.isArray(responseType) ? responseType : ['code']
  return [
    ...(types.some((type) => /\bcode\b/.test(type)) ? ['authorization_code', 'refresh_token'] : []),
    ...(types.some((type) => type !== 'code') ? ['implicit'] : []),
  ]
}

export const readNewClient = (flags: JsonRow): JsonRow => ({
  ...(typeof flags.id === 'string' ? { client_id: flags.id } : {}),
  ...readMetadata({
    ...flags,
    grant: flags.grant ?? (flags.redirect ? listDefaultGrants(flags) : undefined),
  }),
})

interface SaidActs {
  readonly last_token_at: number | null
  readonly last_used_at: number | null
  readonly owners: number
  readonly days: readonly {
    readonly day: string
    readonly tokens: number
    readonly refused: number
  }[]
  readonly refusals: readonly {
    readonly reason: string
    readonly count: number
    readonly last_at: number
  }[]
  readonly refused_by: readonly { readonly profile: string; readonly rules: readonly string[] }[]
}

const sayTable = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string | null =>
  rows.length === 0 ? null : renderRows([head, ...rows.map((row) => row.map(show))])

/** A client, and below it what it did. */
export const sayClient = ({ acts, ...client }: JsonRow): string => {
  // A service of an earlier version tells none.
  if (acts === undefined) return renderMembers(client)
  const { days, refusals, refused_by, ...told } = acts as SaidActs
  return joinTexts(
    renderMembers({ ...client, ...told }),
    sayTable(
      ['day', 'tokens', 'refused'],
      days.map(({ day, tokens, refused }) => [day, tokens, refused]),
    ),
    sayTable(
      ['refused by', 'times', 'last'],
      refusals.map(({ reason, count, last_at }) => [reason, count, renderTime(last_at)]),
    ),
    sayTable(
      ['stricter profile', 'refuses'],
      refused_by.map(({ profile, rules }) => [profile, rules.join(' ')]),
    ),
  )
}

/** The client with a new secret, in two lines. */
export const saySecret = ({ client_id: id, client_secret: secret }: JsonRow): string =>
  [
    `client_id      ${show(id)}`,
    ...(secret === undefined
      ? []
      : [`client_secret  ${show(secret)}`, '', 'The secret is shown this once.']),
  ].join('\n')

export const sayRotatedSecret = (rotated: JsonRow): string => {
  const until = rotated.old_secret_expires_at
  const old =
    typeof until === 'number'
      ? `The old secret ends at ${renderTime(until)}, and so do the tokens that the client got for itself with it.`
      : 'The old secret has ended, and so have the tokens that the client got for itself.'
  return `${saySecret(rotated)}\n${old}`
}
