/** Words of the error page: the problem, the person to act, the remedy. */

import { httpLimits } from '../../http/limits.ts'
import { parameterLimits } from '../../protocol/parameters.ts'
import { requestLimits } from '../../requests/limits.ts'
import { redirectUriFaults } from '../../requests/redirect-uri.ts'
import { allowMarkup, defineWords } from '../catalog.ts'

export const errorWords = defineWords('error', {
  titles: {
    cannotFollow: 'This request is not valid',
    foreign_journey: 'This page has expired',
    journey_too_old: 'This page has expired',
    journey_answered: 'This was already answered',
    bad_consent: 'This form is not valid',
    consent_incomplete: 'Something required is missing',
    consent_overtaken: 'This has ended',
    login_required: 'The application needs a login',
    wrong_csrf_token: 'This form has expired',
    access_denied: 'This form is not ours',
    operator_role_needed: 'You may look, but not change',
    not_found: 'This page does not exist',
    method_not_allowed: 'This page cannot do that',
    too_many_requests: 'Too many tries',
    server_error: 'Something went wrong',
    temporarily_unavailable: 'Not available right now',
  },
  mistakeOf: {
    owner: 'This request is not valid',
    developer: 'The application must fix this',
    operator: 'The operator must fix this',
  },
  happened: {
    foreign_journey: 'It belongs to another browser, was changed, or cookies are off.',
    journey_too_old: 'This page was open for too long. What you typed was not used.',
    journey_answered: 'This request was answered already, or its approval has ended.',
    bad_consent: 'The form does not fit what the application asked for.',
    consent_incomplete:
      'The application cannot work without one of the permissions that were not ticked: allow it, or deny access.',
    consent_overtaken: 'The application or your login has ended while this page was open.',
    login_required:
      'An application asked, without a page, for a login that is not there. It got no answer.',
    refused: 'The application asked for something that it does not get here. It got no answer.',
    wrong_csrf_token:
      'You logged in or out after this form was shown, or it was shown in another browser. Or this browser keeps no cookies for this site.',
    access_denied: 'This form was sent by a page that is not ours.',
    operator_role_needed: 'This needs the role operator, and yours is auditor.',
    not_found: 'There is nothing here, or it is not yours, or it has ended.',
    method_not_allowed: 'This path has no such method.',
    too_many_requests: 'Too many refused requests: slow down.',
    documents_bounded:
      'Too many applications from your network are new here, or their documents could not be used.',
    too_large: 'The form is too large for this page.',
    hint_of_other_client: 'An application asked to log you out as another application.',
    unregistered_post_logout_redirect_uri:
      'An application asked to log you out and then to send you to an address that it did not register. You are still logged in.',
    incomplete: 'Something that this page needs was missing, or was changed on the way.',
    store_unavailable: 'The store cannot be reached.',
    temporarily_unavailable: 'Too many people are here at once.',
    server_error: 'Something went wrong in the service.',
  },
  asked: {
    unknown_client: 'client_id names no client of this service.',
    disabled_client: 'client_id names no client of this service.',
    document_unusable: 'The document at the URL in client_id cannot be used.',
    document_unreachable: 'The host of the document at the URL in client_id does not answer.',
    documents_off: 'client_id names no client of this service.',
    invalid_request_object: 'The request object cannot be used.',
    invalid_request_uri: 'The request at request_uri cannot be used.',
    request_not_pushed: 'The application has to push its request first.',
    missing_client_id: 'Parameter client_id is missing.',
    repeated_client_id: 'Parameter client_id came more than once.',
    unregistered_redirect_uri: 'redirect_uri is not registered for this client.',
    missing_redirect_uri: 'Parameter redirect_uri is missing.',
    repeated_redirect_uri: 'Parameter redirect_uri came more than once.',
    bad_percent_encoding: 'A parameter is not percent-encoded UTF-8.',
    not_encoded: 'The parameters are not percent-encoded.',
    bad_character: 'A parameter holds NUL or is not UTF-8.',
    too_many_parameters: `More than ${parameterLimits.parameters} parameters.`,
    request_too_long: `The authorization request is longer than ${requestLimits.authorizationRequestCharacters} characters.`,
    body_too_large: `The body is larger than ${httpLimits.formBytes} bytes.`,
    body_not_utf8: 'The body is not UTF-8.',
    not_a_form: 'Content-Type has to be application/x-www-form-urlencoded in UTF-8.',
    unreadable: 'The authorization request could not be read.',
    unknown_endpoint:
      'There is no endpoint at this path. /.well-known/oauth-authorization-server names those that there are.',
  },
  whoActs: {
    developer: 'You did nothing wrong, and nothing was passed on.',
    operator: 'You did nothing wrong.',
  },
  advice: {
    startAgain: 'Go back to the application and begin again there.',
    sendAgain: 'Go back, reload the page and send it again.',
    reload:
      'Go back, reload the page and send it again. If that does not help, allow cookies for this site.',
    askOperator: 'Ask an operator to do it.',
    address: 'Check the address, or begin at your account.',
    wait: 'Wait a little, then try again.',
    tellDeveloper:
      'Go back to the application. If this happens again, tell the people who make it the reference number below.',
    tellOperator:
      'Try again in a few minutes. If this happens again, tell whoever runs this service the reference number below.',
  },
  waitFor: 'Wait {minutes, plural, one {a minute} other {# minutes}}, then try again.',
  accountPage: 'Your account',
  goOn: allowMarkup('Go on to {host}'),
  details: 'For the developer',
  received: 'Received',
  nothing: 'nothing',
  and: 'and',
  fault: 'Fault',
  expected: 'Expected',
  or: 'or',
  command: 'Command',
  asOperator: allowMarkup(
    'In {variable} it needs an access token of an operator’s client, which this gets:',
  ),
  tokenCommand: 'Command that gets an access token',
  reference: 'Reference:',
})

/** Words of an explanation of a refused request: the value expected, and the remedy. */
export const mistakeWords = defineWords('mistakes', {
  expected: {
    once: '{parameter} once',
    clientId: 'client_id, under which the application is registered here',
    registeredClient: 'the client_id of a client that is registered here',
    enabledClient: 'a client that is not disabled',
    registeredRedirectUri: 'a redirect_uri that is registered; this client has none',
    encodedParameters: `parameters in the form application/x-www-form-urlencoded, in UTF-8, at most ${parameterLimits.parameters} of them and ${requestLimits.authorizationRequestCharacters} characters`,
    document: 'the URL of a client metadata document that can be fetched and follows the rules',
    requestObject:
      'a request object that the client signed with one of its registered keys, for this service',
    pushedRequest: 'the request_uri of a request that this client pushed just now, used once',
  },
  remedies: {
    sendOnce: 'Send {parameter} once, as in this request with the first of them.',
    addClientId: 'Add client_id to the request. This lists the clients that are registered.',
    registerClient:
      'Look for a typing mistake. Or register the application, if you know it, and check its name and address first.',
    keepSecret: 'The answer shows its secret this once.',
    keepId: 'The answer shows the client_id to send. No client can have the received one.',
    keepSecretAndId:
      'The answer shows its secret this once, and the client_id to send. No client can have the received one.',
    enableClient: 'The operator has disabled this client. This enables it again.',
    cannotRegister: 'It {fault}, so it cannot be registered.',
    registerOwn: 'Register where the application takes answers, in place of the example.',
    sendRegistered: 'Send one that is registered, as in this request.',
    sendExactly:
      'Send one that is registered, character by character (the port of a loopback address may differ).',
    registerToo:
      'Only if you know this address to be the application’s own, register it too: codes of its users will be sent there.',
    noRoom: 'No other can be added: the client has as many as it may have.',
    useLibrary: 'Let a library write the request, which encodes each value.',
    answerFetch:
      'The host of the document has to answer this service within eight seconds. The operator can register the client by hand instead.',
    documentsOff:
      'LATCHKEY_REGISTRATION is off, so no documents are fetched. The operator can register this client by hand.',
    mendDocument:
      'The host of the document has to mend it. The operator can register the client by hand instead.',
    mendObject: 'The application has to mend it, or to send the parameters as they are.',
    pushAnew: 'The application has to push each request, and to send its request_uri at once.',
  },
  faults: redirectUriFaults,
})
