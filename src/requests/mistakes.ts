/**
 * Requests without a proven client: the refusal of each, with the value expected and the remedy.
 */
import type { DocumentFault } from '../clients/site-fetch.ts'
import { type Client, publicMethod } from '../model/client.ts'
import { isChosenClientId, isUrlClientId } from '../model/ids.ts'
import type {
  Command,
  Expected,
  Explanation,
  ProvingParameter,
  Remedy,
} from '../protocol/explanation.ts'
import { mayRepeat, type Parameters, parameterLimits } from '../protocol/parameters.ts'
import { Refusal, type RefusalNote, refuseForNow } from '../protocol/refusal.ts'
import { storeLimits } from '../store/limits.ts'
import { makeAdminCommand, requestCommand } from './commands.ts'
import { requestLimits } from './limits.ts'
import { applyPort, findUriFault } from './redirect-uri.ts'

/** A refused request, and whom it was sent to. */
export interface RefusedRequest {
  readonly parameters: Parameters
  readonly issuer: string
}

/** Shown on a page, never redirected (RFC 6749 section 4.1.2.1). */
const unproven = (
  reason: string,
  description: string,
  explanation: Explanation,
  recorded: RefusalNote = {},
): Refusal => new Refusal('invalid_request', reason, description, { explanation, recorded })

/** The same request, each parameter once, some of them changed. */
const mend = (
  { parameters, issuer }: RefusedRequest,
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

export const repeatedParameter = (name: ProvingParameter, asked: RefusedRequest): Refusal =>
  unproven(`repeated_${name}`, `parameter ${name} came more than once`, {
    by: 'developer',
    received: asked.parameters.all(name),
    expected: { is: 'once', parameter: name },
    remedies: [{ say: 'sendOnce', parameter: name }],
    command: mend(asked, {}),
  })

export const missingClientId = ({ issuer }: RefusedRequest): Refusal =>
  unproven('missing_client_id', 'parameter client_id is missing', {
    by: 'developer',
    received: [],
    expected: { is: 'clientId' },
    remedies: [{ say: 'addClientId' }],
    command: makeAdminCommand('GET', 'clients', null, issuer),
  })

/** Stands in commands for what only the developer knows. */
const exampleUri = 'https://app.example/callback'

const listAskedTypes = ({ parameters }: RefusedRequest): readonly string[] =>
  (parameters.find('response_type') ?? '').split(' ')

const hasFrontType = (asked: RefusedRequest): boolean =>
  listAskedTypes(asked).some((type) => type === 'token' || type === 'id_token')

/** Asks for tokens at once and for no code, so its client is one that keeps no secret. */
const isImplicit = (asked: RefusedRequest): boolean =>
  hasFrontType(asked) && !listAskedTypes(asked).includes('code')

/** A single `code` or `token` follows from the grant types. */
const deriveTypes = (asked: RefusedRequest) => {
  const types = listAskedTypes(asked)
  const grants = [
    ...(isImplicit(asked) ? [] : ['authorization_code', 'refresh_token']),
    ...(hasFrontType(asked) ? ['implicit'] : []),
  ]
  const isNamed = types.length > 1 || types.includes('id_token')
  return {
    grant_types: grants,
    ...(isNamed && hasFrontType(asked) ? { response_types: [types.join(' ')] } : {}),
  }
}

/** The host of a URL is short enough for a name, unlike the URL. */
const deriveName = (id: string): string => {
  if (!isChosenClientId(id)) return 'New application'
  return isUrlClientId(id) ? new URL(id).host.slice(0, requestLimits.clientNameCharacters) : id
}

const makeRegistration = (id: string, asked: RefusedRequest): Readonly<Record<string, unknown>> => {
  const uri = asked.parameters.find('redirect_uri')
  return {
    ...(isChosenClientId(id) ? { client_id: id } : {}),
    client_name: deriveName(id),
    redirect_uris: [uri === null || findUriFault(uri) !== null ? exampleUri : uri],
    ...deriveTypes(asked),
    ...(isImplicit(asked) ? { token_endpoint_auth_method: publicMethod } : {}),
  }
}

/** The parts of the answer to keep; nothing for a known id without a secret. */
const adviseKeeping = (id: string, asked: RefusedRequest): readonly Remedy[] => {
  const hasSecret = !isImplicit(asked)
  if (isChosenClientId(id)) return hasSecret ? [{ say: 'keepSecret' }] : []
  return [{ say: hasSecret ? 'keepSecretAndId' : 'keepId' }]
}

const unknownWords = 'client_id names no client of this service'

export const unknownClient = (id: string, asked: RefusedRequest): Refusal =>
  unproven('unknown_client', unknownWords, {
    by: 'developer',
    received: [id],
    expected: { is: 'registeredClient' },
    remedies: [{ say: 'registerClient' }, ...adviseKeeping(id, asked)],
    command: makeAdminCommand('POST', 'clients', makeRegistration(id, asked), asked.issuer),
  })

const sayBounded = (seconds: number): string =>
  `too many documents from this network failed, or were new: try again in ${seconds} seconds`
const documentWords = 'client_id names a metadata document that cannot be used now'

/** @param id the URL of the document */
export const refusedDocument = (id: string, fault: DocumentFault): Refusal => {
  switch (fault.is) {
    case 'too_many':
      return refuseForNow('documents_bounded', sayBounded(fault.seconds), fault.seconds)
    case 'off':
      return unproven('documents_off', unknownWords, {
        by: 'operator',
        received: [id],
        expected: { is: 'registeredClient' },
        remedies: [{ say: 'documentsOff' }],
        command: null,
      })
    case 'unreachable':
      return unproven('document_unreachable', documentWords, {
        by: 'developer',
        received: [id],
        expected: { is: 'document' },
        remedies: [{ say: 'answerFetch' }],
        command: null,
      })
    case 'unusable':
      return unproven('document_unusable', documentWords, {
        by: 'developer',
        received: [id],
        expected: { is: 'document' },
        fault: fault.said,
        remedies: [{ say: 'mendDocument' }],
        command: null,
      })
  }
}

/** Its object proves nothing, so a refusal may have to be shown on a page. */
export const refusedObject = (refusal: Refusal, received: string): Refusal => {
  const { code, reason, description } = refusal
  return new Refusal(code, reason, description, {
    explanation: {
      by: 'developer',
      received: [received.slice(0, parameterLimits.textCharacters)],
      expected: { is: 'requestObject' },
      fault: description,
      remedies: [{ say: 'mendObject' }],
      command: null,
    },
  })
}

const makeAdminPath = ({ id }: Client): string => `clients/${encodeURIComponent(id)}`

/** Strangers are told the same words as of a client that there is not. */
export const disabledClient = (client: Client, { issuer }: RefusedRequest): Refusal =>
  unproven(
    'disabled_client',
    unknownWords,
    {
      by: 'operator',
      received: [client.id],
      expected: { is: 'enabledClient' },
      remedies: [{ say: 'enableClient' }],
      command: makeAdminCommand('PATCH', makeAdminPath(client), { disabled: false }, issuer),
    },
    { clientId: client.id },
  )

/** One more redirect URI for a client; null where it has as many as there may be. */
const addUri = (client: Client, uri: string, { issuer }: RefusedRequest): Command | null => {
  if (client.redirectUris.length >= storeLimits.redirectUris) return null
  const isSentAnywhere = client.responseTypes.length > 0
  return makeAdminCommand(
    'PATCH',
    makeAdminPath(client),
    {
      add_redirect_uris: [uri],
      // A client that was never sent back anywhere is not registered for being sent there either.
      ...(isSentAnywhere ? {} : { grant_types: [...client.grantTypes, 'authorization_code'] }),
    },
    issuer,
  )
}

/** The registered ones, in the form that matches the received one. */
const listRegistered = ({ redirectUris }: Client, given: string): readonly string[] =>
  redirectUris.map((uri) => applyPort(uri, given))

const getExpected = (client: Client, given: string): Expected =>
  client.redirectUris.length === 0
    ? { is: 'registeredRedirectUri' }
    : { is: 'oneOf', values: listRegistered(client, given) }

type Mending = Pick<Explanation, 'remedies' | 'command'>

/** If the received one cannot be registered: a registered one, or a possible one. */
const mendUri = (client: Client, asked: RefusedRequest): Mending => {
  const [first] = client.redirectUris
  return first === undefined
    ? { remedies: [{ say: 'registerOwn' }], command: addUri(client, exampleUri, asked) }
    : { remedies: [{ say: 'sendRegistered' }], command: mend(asked, { redirect_uri: first }) }
}

const adviseRegistered = (client: Client, given: string, asked: RefusedRequest): Mending => {
  const command = addUri(client, given, asked)
  const further = command === null ? 'noRoom' : 'registerToo'
  return { remedies: [{ say: 'sendExactly' }, { say: further }], command }
}

export const unregisteredRedirectUri = (
  client: Client,
  given: string,
  asked: RefusedRequest,
): Refusal => {
  const fault = findUriFault(given)
  const { remedies, command } =
    fault === null ? adviseRegistered(client, given, asked) : mendUri(client, asked)
  return unproven(
    'unregistered_redirect_uri',
    'redirect_uri is not registered for this client',
    {
      by: 'developer',
      received: [given],
      expected: getExpected(client, given),
      remedies: fault === null ? remedies : [{ say: 'cannotRegister', fault }, ...remedies],
      command,
    },
    { clientId: client.id, given, registered: listRegistered(client, given) },
  )
}

export const missingRedirectUri = (client: Client, asked: RefusedRequest): Refusal =>
  unproven(
    'missing_redirect_uri',
    'parameter redirect_uri is missing',
    {
      by: 'developer',
      received: [],
      expected: getExpected(client, ''),
      ...mendUri(client, asked),
    },
    { clientId: client.id, registered: client.redirectUris },
  )

/** Of a request that could not even be read: as much of it as shows why. */
export const explainMalformed = (text: string): Explanation => ({
  by: 'developer',
  received: text === '' ? [] : [text.slice(0, parameterLimits.textCharacters)],
  expected: { is: 'encodedParameters' },
  remedies: [{ say: 'useLibrary' }],
  command: null,
})
