/** Rules of this service for operators, clients and resources. */
import { own, type RulesBySource } from './rule.ts'

export const ownOperationRules: RulesBySource = {
  [own('admin-api')]: {
    owner_token: [
      'Use a token that an operator client got for itself: grant_type=client_credentials.',
      'Authorization',
    ],
    elevation: ['Use an operator client that may do as much itself.', 'Authorization scope'],
    bad_narrowing: 'Send what is to be kept, or paused, and one of the two.',
    unknown_permission: ['Send names that exist. To end the access, send DELETE.', 'scope'],
    unknown_parameter: 'Leave the parameter out, or check its spelling.',
    unknown_authorization: [
      'List authorizations to see their ids.',
      'path',
      'the id of an authorization',
    ],
    unknown_key: ['List keys to see their ids.', 'path', 'the id of a key'],
    unknown_owner: ['List owners to see their ids.', 'path', 'the id of an owner'],
    unknown_event: ['List events to see their ids.', 'path', 'the id of an event'],
    two_cursors: 'Send after or before, and not both.',
    bad_search: 'Send a shorter text.',
    bad_limit: ['Send a smaller number.', 'limit'],
    bad_cursor: 'Begin the list again, and follow its next.',
    unknown_position:
      'The position is of another database, or of a time that a restore undid. Begin again with since.',
    bad_after: 'Begin the list again, and follow its next.',
    bad_by: 'Send one of the names in the words of the refusal.',
    client_id_taken: [
      'Choose another client_id, or change the client that has this one.',
      'client_id',
    ],
    username_taken: ['Choose another user name.', 'username'],
    address_taken: ['Leave email_verified out, or send another address.', 'email email_verified'],
    email_verified: 'Nothing has to be done: the address is verified.',
    has_password: 'Make a link to reset the password.',
    no_email: 'Add an email address first.',
    no_mail: 'Set LATCHKEY_SMTP, or pass the link on yourself.',
    ways_of_others: ['Name the ways to log in that stay. The others go.', 'keep_ways_in'],
    rights_changed: 'Look at the roles or the scope, and send it again.',
    owner_disabled: 'Enable the owner first.',
  },
  [own('audiences')]: {
    audience_too_long: ['Name fewer resources.', 'resource', 'fewer resources'],
    no_resource_server: ['Add the client to introspection_clients of a resource.', 'client_id'],
  },
  [own('branding')]: {
    no_client_logo: ['Nothing has to be done: the client has no logo.', 'path'],
    no_logo: ['Set a logo in the settings.', 'path'],
  },
  [own('clients')]: {
    disabled_client: [
      'The operator has disabled this client, and can enable it again.',
      'client_id Authorization',
      'a client that is enabled',
    ],
    public_client: ['A public client needs no secret.', 'path'],
    no_secret: ['Nothing to rotate: the client authenticates otherwise.', 'path'],
    grant_needs_trust: ['The operator sets trusted for the client.', 'grant_types'],
    required_scope_outside: ['Add the names to scope, too.', 'required_scope scope'],
    scope_beyond_registration: ['Ask for what is in scope of the client.', 'scope'],
    no_code_grant: [
      'Add authorization_code to grant_types of the client.',
      'client_id',
      'a client that may ask for a code',
    ],
  },
  [own('console')]: {
    console_factor_needed: [
      'Log in again with a passkey, or with a password and a one-time code.',
      'path',
      'a login with two factors',
    ],
    changed_meanwhile: ['Open the form again, and change it there.', 'path'],
  },
  [own('documents')]: {
    documents_bounded: ['Wait as Retry-After says, and try again.', 'client_id'],
    not_a_document: ['Pin only clients whose id is a URL.', 'client_id'],
    unknown_document: ['Choose a document that the demo serves.', 'path'],
  },
  [own('explain')]: {
    public_client_asks: [
      'Ask the operator: a public client cannot prove that the request was its own.',
      'client_id',
    ],
    unknown_reference: [
      'Send a reference of the last seven days. Older ones are in the log, as the requestId.',
      'path',
      'a reference that is kept',
    ],
  },
  [own('forward-auth')]: {
    scope_of_other_resource: [
      'Name permissions of the resource of this question.',
      'scope resource',
    ],
    not_one_resource: ['Configure the proxy with one resource.', 'resource'],
    forward_auth_by_stranger: [
      'Add the address of the proxy to LATCHKEY_TRUSTED_PROXIES.',
      'path',
      'a question by a trusted proxy',
    ],
  },
  [own('importing')]: {
    subject_taken: 'Leave sub out, or send another one.',
    bad_password_hash: 'Send a hash in a notation of the list.',
    too_many_hash_kinds: 'Import these accounts without their passwords.',
    slow_hash_kinds: 'Import these accounts without their passwords.',
    two_passwords: ['Send password or password_hash, and not both.', 'password'],
  },
  [own('keys')]: {
    sealing_key: [
      'Rotate the sealing keys and end their tokens instead.',
      'path',
      'the id of a signing key',
    ],
  },
  [own('registration')]: {
    documents_off: [
      'The operator turns registration on, or registers the client.',
      'client_id',
      'a client_id that is registered here',
    ],
    registration_off: 'Ask the operator to register the client, or for a token.',
    registrations_held_by_network: 'Let a user approve a client, delete some, or ask the operator.',
    registrations_in_total: 'Ask the operator for an initial access token.',
    registrations_of_network: 'Wait as Retry-After says, or ask the operator for a token.',
    own_changes: 'Wait, and change the registration once for all.',
    sectors_bounded: ['Wait, and check sector_identifier_uri.', 'sector_identifier_uri'],
  },
  [own('resources')]: {
    token_as_field: ['Send the token in the header.', 'access_token'],
    malformed_item_id: ['Choose an id of the allowed characters.', 'path'],
    other_item_id: ['Leave id out of the body.', 'path'],
    unknown_item: ['List the items to see their ids.', 'path', 'the id of an item'],
    post_to_item: ['Send PUT to change the item, or POST to the list.', 'path'],
    repeated_field: 'Send each field once.',
    too_many_fields: 'Split the item in two.',
    resource_full: 'Delete items first.',
    own_item_too_large: 'Keep large data elsewhere.',
    bad_introspection_client: 'Name clients that exist and authenticate.',
    malformed_resource: 'Write the resource as its words say.',
    unusable_resource: 'Choose another name or uri.',
    own_uri: ['Send the uri of your own API.', 'uri'],
    resource_renamed: 'Add a resource of the new name, and delete this one.',
  },
  [own('running')]: {
    store_unavailable: 'Try again in a moment. The operator looks at the database.',
    unexpected: 'The operator finds the fault in the log under this reference.',
    metrics_from_elsewhere: ['Ask from the machine itself, or set LATCHKEY_METRICS.', 'path'],
    mails_waiting: 'Check the mail server: its queue is full.',
    bad_operator_code: ['Make a new code: latchkey operator.', '', 'a code of latchkey operator'],
    no_console_role: [
      'The operator gives the account the role operator or auditor.',
      'path',
      'an account with a role',
    ],
    operator_role_needed: ['Ask an operator: an auditor only reads.', 'path'],
    no_trial: ['Begin the trial again in the console, in this browser.', 'path'],
    no_redirect_uri: ['Begin at the playground of the demo.', 'path'],
    unknown_flow: ['Choose a flow of the playground.', 'path'],
  },
}
