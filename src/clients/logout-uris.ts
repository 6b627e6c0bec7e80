/**
 * Where clients are told of logouts: `backchannel_logout_uri` (Back-Channel Logout 1.0 section 2.2) and
 * `frontchannel_logout_uri` (Front-Channel Logout 1.0 section 2).
 */
import type { Client } from '../model/client.ts'
import { Refusal } from '../protocol/refusal.ts'
import { quotedUri, redirectUriFault } from '../requests/redirect-uri.ts'

type Member = 'backchannel_logout_uri' | 'frontchannel_logout_uri'

const invalid = (member: Member, uri: string, fault: string): Refusal =>
  new Refusal('invalid_client_metadata', `bad_${member}`, `${member} ${quotedUri(uri)} ${fault}`)

const isWeb = (uri: string): boolean => /^https?:\/\//.test(uri) && redirectUriFault(uri) === null

/** Http leads to this machine only, and only the demo sends anything there. */
const checkBackChannel = (uri: string, isDemo: boolean): void => {
  if (isWeb(uri) && (isDemo || uri.startsWith('https:'))) return
  const fault = isDemo
    ? 'has to be https without a fragment, or http on a loopback address'
    : 'has to be https without a fragment'
  throw invalid('backchannel_logout_uri', uri, fault)
}

/** An origin as a content security policy can name it: a `;` in a host would end its directive. */
const plainOrigin = /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/

const originOf = (uri: string): string | null => {
  const origin = isWeb(uri) ? new URL(uri).origin : ''
  return plainOrigin.test(origin) ? origin : null
}

/** Otherwise our page would show a frame of a site that the client has nothing to do with. */
const checkFrontChannel = (uri: string, redirectUris: readonly string[]): void => {
  const origin = originOf(uri)
  if (origin !== null && redirectUris.some((one) => originOf(one) === origin)) return
  const fault = 'needs the scheme, host and port of one of the redirect_uris, and no fragment'
  throw invalid('frontchannel_logout_uri', uri, fault)
}

/** @throws Refusal `invalid_client_metadata` */
export const checkLogoutUris = (
  { redirectUris, openid }: Pick<Client, 'redirectUris' | 'openid'>,
  isDemo: boolean,
): void => {
  const { backchannel_logout_uri: back, frontchannel_logout_uri: front } = openid
  if (back !== undefined) checkBackChannel(back, isDemo)
  if (front !== undefined) checkFrontChannel(front, redirectUris)
}
