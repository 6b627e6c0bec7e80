/** How the parameters of requests are kept for whoever asks why a request was refused. */
import { clientMethods } from '../clients/methods/index.ts'
import { signatureAlgorithms } from '../model/key.ts'
import { keptLimits } from '../requests/limits.ts'
import { formatWithheld, redactClientId, redactUri, redactWords } from '../requests/redact.ts'

/** Words that may be the value of a parameter, beside those of scopes. */
const choices = [
  'authorization_code refresh_token client_credentials password implicit',
  'urn:ietf:params:oauth:grant-type:device_code urn:openid:params:grant-type:ciba',
  'urn:ietf:params:oauth:grant-type:token-exchange urn:ietf:params:oauth:grant-type:jwt-bearer',
  'code token id_token none query fragment form_post S256 plain',
  'jwt query.jwt fragment.jwt form_post.jwt',
  'login consent select_account create page popup touch wap access_token phr true false',
  'HS256 web native public pairwise',
  'allow deny session day month forever',
  ...clientMethods.map(({ name }) => name),
  ...signatureAlgorithms,
].flatMap((line) => line.split(' '))

const listNames = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

const uris = listNames(
  'redirect_uri redirect_uris add_redirect_uris request_uri jwks_uri client_uri logo_uri',
  'policy_uri tos_uri post_logout_redirect_uri post_logout_redirect_uris uri',
  'backchannel_logout_uri frontchannel_logout_uri sector_identifier_uri resource audience',
)

const words = listNames(
  'grant_type grant_types response_type response_types response_mode scope required_scope',
  'prompt max_age acr_values display code_challenge_method token_type_hint decision duration',
  'token_endpoint_auth_method id_token_signed_response_alg application_type subject_type limit',
)

/** Parameters of which only the kind and the length are kept. */
const secrets: Readonly<Record<string, string>> = {
  code: 'an authorization code',
  device_code: 'a device code',
  user_code: 'a user code',
  auth_req_id: 'an auth_req_id',
  client_notification_token: 'a token',
  binding_message: 'a message',
  access_token: 'an access token',
  refresh_token: 'a refresh token',
  token: 'a token',
  client_secret: 'a client secret',
  password: 'a password',
  new_password: 'a password',
  old_password: 'a password',
  username: 'a user name',
  login_hint: 'a hint',
  code_verifier: 'a verifier',
  code_challenge: 'a challenge',
  dpop_jkt: 'a thumbprint',
  client_assertion: 'an assertion',
  assertion: 'an assertion',
  subject_token: 'a token',
  actor_token: 'a token',
  id_token_hint: 'an ID token',
  logout_token: 'a logout token',
  request: 'a request object',
  claims: 'a list of claims',
  authorization_details: 'a list of details',
  nonce: 'a nonce',
  state: 'a state',
  csrf: 'a token of our form',
  journey: 'a request that waits',
}

/** Not shown, though their values may be ordinary words. */
const plain: readonly string[] = ['state', 'nonce', 'username', 'claims']

/** Whether the value of a parameter may be the same as of another one, which is kept. */
export const isPlain = (name: string): boolean => plain.includes(name)

/** Whether a parameter carries a secret, so that its value must not be kept anywhere. */
export const isGuarded = (name: string): boolean => name in secrets && !isPlain(name)

/**
 * One parameter as it may be kept; null for a name that nobody knows.
 *
 * @param scopes the names that a scope may hold
 */
export const redactValue = (
  name: string,
  value: string,
  scopes: readonly string[],
): string | null => {
  if (name === 'client_id') return redactClientId(value)
  if (uris.has(name)) {
    return value.split(' ', keptLimits.parameters).map(redactUri).join(' ')
  }
  if (words.has(name)) return redactWords(value, [...choices, ...scopes])
  const what = secrets[name]
  return what === undefined ? null : formatWithheld(what, value)
}
