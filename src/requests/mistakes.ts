/** Requests that cannot go back to their client: the refusal of each, with what was expected and what mends it. */
import { limits } from '../config/limits.ts'
import type { Client } from '../model/client.ts'
import { mayRepeat, type Parameters } from '../protocol/parameters.ts'
import { type Command, type Explanation, Refusal } from '../protocol/refusal.ts'
import { isChosenClientId } from './client-id.ts'
import { adminCommand, requestCommand } from './commands.ts'
import { expectedFor, redirectUriFault } from './redirect-uri.ts'

/** A refused request, and whom it was sent to. */
export interface Asked {
  readonly parameters: Parameters
  readonly issuer: string
}

/** Shown on a page, never redirected (RFC 6749 section 4.1.2.1). */
const unproven = (reason: string, description: string, explanation: Explanation): Refusal =>
  new Refusal('invalid_request', reason, description, { explanation })

/** The same request, each parameter once, some of them changed. */
const mended = (
  { parameters, issuer }: Asked,
  changes: Readonly<Record<string, string>>,
): Command => {
  const sent = new URLSearchParams()
  for (const name of parameters.names()) {
    const [first = '', ...more] = parameters.all(name)
    const values = mayRepeat.some((known) => known === name) ? [first, ...more] : [first]
    for (const value of values) sent.append(name, value)
  }
  for (const [name, value] of Object.entries(changes)) sent.set(name, value)
  return requestCommand(sent, issuer)
}

export const repeatedParameter = (name: 'client_id' | 'redirect_uri', asked: Asked): Refusal =>
  unproven(`repeated_${name}`, `parameter ${name} came more than once`, {
    by: 'developer',
    received: asked.parameters.all(name),
    expected: `${name} once`,
    remedy: `Send ${name} once, as in this request with the first of them.`,
    command: mended(asked, {}),
  })

export const missingClientId = ({ issuer }: Asked): Refusal =>
  unproven('missing_client_id', 'parameter client_id is missing', {
    by: 'developer',
    received: [],
    expected: 'client_id, under which the application is registered here',
    remedy: 'Add client_id to the request. This lists the clients that are registered.',
    command: adminCommand('GET', 'clients', null, issuer),
  })

/** Stands in commands for what only the developer knows. */
const exampleUri = 'https://app.example/callback'

/** Asks for a token at once, so its client is one that keeps no secret. */
const isImplicit = ({ parameters }: Asked): boolean => parameters.find('response_type') === 'token'

/** What a client that asks so would be registered as. */
const registrationFor = (id: string, asked: Asked): Readonly<Record<string, unknown>> => {
  const uri = asked.parameters.find('redirect_uri')
  return {
    ...(isChosenClientId(id) ? { client_id: id } : {}),
    client_name: isChosenClientId(id) ? id : 'New application',
    redirect_uris: [uri === null || redirectUriFault(uri) !== null ? exampleUri : uri],
    grant_types: isImplicit(asked) ? ['implicit'] : ['authorization_code', 'refresh_token'],
    ...(isImplicit(asked) ? { token_endpoint_auth_method: 'none' } : {}),
  }
}

/** What has to be kept of the answer to that command; nothing where the id is known and there is no secret. */
const answeredFor = (id: string, asked: Asked): readonly string[] => {
  const shown = isImplicit(asked) ? [] : ['its secret this once']
  if (isChosenClientId(id)) return shown.map((what) => `The answer shows ${what}.`)
  const all = [...shown, 'the client_id that it has to send'].join(' and ')
  return [`The answer shows ${all}: no client can be given the one that came.`]
}

const unknownWords = 'client_id names no client of this service'

export const unknownClient = (id: string, asked: Asked): Refusal =>
  unproven('unknown_client', unknownWords, {
    by: 'developer',
    received: [id],
    expected: 'the client_id of a client that is registered here',
    remedy: [
      'Look for a slip of the pen. If this is a new application that you know, register it; check its name and address first.',
      ...answeredFor(id, asked),
    ].join(' '),
    command: adminCommand('POST', 'clients', registrationFor(id, asked), asked.issuer),
  })

const adminPath = ({ id }: Client): string => `clients/${encodeURIComponent(id)}`

/** Strangers are told the same words as of a client that there is not. */
export const disabledClient = (client: Client, { issuer }: Asked): Refusal =>
  unproven('disabled_client', unknownWords, {
    by: 'operator',
    received: [client.id],
    expected: 'a client that is not disabled',
    remedy: 'The operator has disabled this client. This enables it again.',
    command: adminCommand('PATCH', adminPath(client), { disabled: false }, issuer),
  })

/** One more redirect URI for a client; null where it has as many as there may be. */
const withUri = (client: Client, uri: string, { issuer }: Asked): Command | null => {
  if (client.redirectUris.length >= limits.redirectUris) return null
  const isSentAnywhere = client.responseTypes.length > 0
  return adminCommand(
    'PATCH',
    adminPath(client),
    {
      add_redirect_uris: [uri],
      // A client that was never sent back anywhere is not registered for being sent there either.
      ...(isSentAnywhere ? {} : { grant_types: [...client.grantTypes, 'authorization_code'] }),
    },
    issuer,
  )
}

/** What is registered, as it would match what came; in words where nothing is. */
const expectedOf = ({ redirectUris }: Client, given: string): Explanation['expected'] =>
  redirectUris.length === 0
    ? 'a redirect_uri that is registered; this client has none'
    : redirectUris.map((uri) => expectedFor(uri, given))

const mendedUri = (client: Client, asked: Asked): Pick<Explanation, 'remedy' | 'command'> => {
  const [first] = client.redirectUris
  return first === undefined
    ? {
        remedy: 'Register where the application takes answers, in place of the example.',
        command: withUri(client, exampleUri, asked),
      }
    : {
        remedy: 'Send one that is registered, as in this request.',
        command: mended(asked, { redirect_uri: first }),
      }
}

const registered = (
  client: Client,
  given: string,
  asked: Asked,
): Pick<Explanation, 'remedy' | 'command'> => {
  const command = withUri(client, given, asked)
  const remedy =
    'Send one that is registered, character by character (the port of a loopback address may differ).'
  return command === null
    ? { remedy: `${remedy} No other can be added: the client has as many as it may have.`, command }
    : {
        remedy: `${remedy} Only if you know this address to be the application's own, register it too: codes of its owners will be sent there.`,
        command,
      }
}

export const unregisteredRedirectUri = (client: Client, given: string, asked: Asked): Refusal => {
  const fault = redirectUriFault(given)
  const { remedy, command } =
    fault === null ? registered(client, given, asked) : mendedUri(client, asked)
  return unproven('unregistered_redirect_uri', 'redirect_uri is not registered for this client', {
    by: 'developer',
    received: [given],
    expected: expectedOf(client, given),
    remedy: fault === null ? remedy : `It ${fault}, so it cannot be registered. ${remedy}`,
    command,
  })
}

export const missingRedirectUri = (client: Client, asked: Asked): Refusal =>
  unproven('missing_redirect_uri', 'parameter redirect_uri is missing', {
    by: 'developer',
    received: [],
    expected: expectedOf(client, ''),
    ...mendedUri(client, asked),
  })

/** Of a request that could not even be read: as much of it as shows why. */
export const malformed = (text: string): Explanation => ({
  by: 'developer',
  received: text === '' ? [] : [text.slice(0, limits.textCharacters)],
  expected: `parameters in the form application/x-www-form-urlencoded, in UTF-8, at most ${limits.parameters} of them and ${limits.authorizationRequestCharacters} characters`,
  remedy: 'Let a library write the request, which encodes each value.',
  command: null,
})
