/** Words of an explanation of a refused request: the value expected, and the remedy. */
import { parameterLimits } from '../../protocol/parameters.ts'
import { requestLimits } from '../../requests/limits.ts'
import { redirectUriFaults } from '../../requests/redirect-uri.ts'
import { defineWords, message } from '../catalog.ts'

export const mistakeWords = defineWords('mistakes', {
  expected: {
    once: message('{parameter} once', { parameter: 'text' }),
    clientId: 'client_id, under which the application is registered here',
    registeredClient: 'the client_id of a client that is registered here',
    enabledClient: 'a client that is not disabled',
    registeredRedirectUri: 'a redirect_uri that is registered; this client has none',
    encodedParameters: `parameters in the form application/x-www-form-urlencoded, in UTF-8, at most ${parameterLimits.parameters} of them and ${requestLimits.authorizationRequestCharacters} characters`,
    document: 'the URL of a client metadata document that can be fetched and follows the rules',
    requestObject:
      'a request object that the client signed with one of its registered keys, for this service',
  },
  remedies: {
    sendOnce: message('Send {parameter} once, as in this request with the first of them.', {
      parameter: 'text',
    }),
    addClientId: 'Add client_id to the request. This lists the clients that are registered.',
    registerClient:
      'Look for a slip of the pen. If this is a new application that you know, register it; check its name and address first.',
    keepSecret: 'The answer shows its secret this once.',
    keepId: 'The answer shows the client_id to send. No client can have the received one.',
    keepSecretAndId:
      'The answer shows its secret this once, and the client_id to send. No client can have the received one.',
    enableClient: 'The operator has disabled this client. This enables it again.',
    cannotRegister: message('It {fault}, so it cannot be registered.', { fault: 'text' }),
    registerOwn: 'Register where the application takes answers, in place of the example.',
    sendRegistered: 'Send one that is registered, as in this request.',
    sendExactly:
      'Send one that is registered, character by character (the port of a loopback address may differ).',
    registerToo:
      'Only if you know this address to be the application’s own, register it too: codes of its owners will be sent there.',
    noRoom: 'No other can be added: the client has as many as it may have.',
    useLibrary: 'Let a library write the request, which encodes each value.',
    answerFetch:
      'The host of the document has to answer this service within eight seconds. The operator can register the client by hand instead.',
    documentsOff:
      'LATCHKEY_REGISTRATION is off, so no documents are fetched. The operator can register this client by hand.',
    mendDocument:
      'The host of the document has to mend it. The operator can register the client by hand instead.',
    mendObject: 'The application has to mend it, or to send the parameters as they are.',
  },
  faults: redirectUriFaults,
})
