/** Rules of this service for the people who log in. */
import { own, type RulesBySource } from './rule.ts'

export const ownPageRules: RulesBySource = {
  [own('account')]: {
    wrong_confirmation: [
      'Enter the password of this account.',
      'password',
      'the password of this account',
    ],
    deletion_not_typed: ['Type the user name as the page shows it.', 'username', 'the user name'],
    profile_changed_meanwhile: [
      'Look at the new values, and change them again.',
      '',
      'the values of the last page',
    ],
    bad_profile: ['Mend the field that the page marks.', '', 'fields as the page says'],
    bad_picture: ['Choose a PNG, JPEG or WebP of at most 200 KB.', '', 'a plain picture'],
    no_owner_picture: ['Nothing has to be done: the picture was replaced or removed.', 'path'],
    bad_multipart: [
      'Send the form of the page, with one file.',
      'Content-Type',
      'the form of the page',
    ],
    bad_email: ['Enter an email address.', '', 'an email address'],
    same_email: ['Nothing has to be done: this is the address.', '', 'another address'],
    new_passwords_differ: ['Type the same password twice.', '', 'the same password twice'],
    same_password: ['Choose another password than the current one.', '', 'another password'],
    bad_action: 'Send one of the buttons of the page.',
  },
  [own('accounts')]: {
    nothing_to_stand_on: ['Check that client and account are enabled, and ask again.', 'client_id'],
    bad_new_password: ['Choose a longer password.', '', 'a password of a good length'],
    common_new_password: ['Choose a password that others do not use.', '', 'a rare password'],
    new_password_of_names: [
      'Choose a password without your names.',
      '',
      'a password without names',
    ],
    mail_not_cancelled: ['Ask for a new mail, and cancel that on its page.', 'sent'],
    dead_link: ['Ask for a new link: each works once and for a time.', 'path', 'a new link'],
    forgot_closed: ['Ask the operator for a link.', 'path', 'a service that sends links'],
    signup_closed: ['Ask the operator for an account.', 'path', 'a service with open sign-up'],
  },
  [own('console')]: {
    unknown_kind: ['Choose a kind from the page.', 'path', 'a kind of the page'],
    unknown_field: ['Send the fields of the form, and no others.', '', 'the fields of the form'],
    unknown_choice: ['Reload the form, and choose again.', '', 'a choice of the form'],
    missing_field: ['Fill in the field that the page marks.', '', 'a value'],
  },
  [own('limits')]: {
    too_many_parameters: 'Send fewer parameters.',
    request_too_long: [
      'Shorten the request: state and claims take the most room. Or send a request_uri.',
      'state claims scope',
    ],
    state_too_long: [
      'Keep the data at the application, and send a short random state.',
      'state',
      'a short state',
    ],
    nonce_too_long: ['Send a shorter random nonce.', 'nonce'],
    claims_too_long: ['Ask for fewer claims, or for words of the scope.', 'claims'],
    scope_too_long: ['Ask for fewer permissions.', 'scope'],
    json_too_deep: 'Nest the JSON less deeply.',
    too_many_refusals: [
      'Wait as Retry-After says. Then mend the requests before: each has a reference of its own. Requests over the limit share one for a minute.',
      '',
      'fewer refused requests a minute',
    ],
    too_many_claims: [
      'Wait as Retry-After says. Keep the access token for later requests, or ask the operator to register the client.',
      'client_assertion DPoP',
      'fewer assertions and proofs a minute',
    ],
    too_many_redirect_uris: ['Remove redirect URIs that nobody uses.', 'redirect_uris'],
    login_throttled: ['Wait as the page says. After that, a right try counts.', 'username'],
    passwords_busy: 'Try again in a moment: many people log in.',
    mail_throttled: [
      'Wait as the page says. After that, a right try counts.',
      '',
      'fewer mails to one mailbox',
    ],
    too_many_downloads: 'Wait as Retry-After says.',
  },
  [own('login')]: {
    login_untold: 'Go back to the application and start there again.',
    journey_answered: 'Go back to the application and start there again.',
    journey_too_old: 'Go back to the application and start there again.',
    foreign_journey: [
      'Start again at the application, in one browser and with cookies on.',
      '',
      'a page of this browser',
    ],
    not_logged_in: ['Log in, and ask again.', '', 'a login'],
    login_ended: ['Log in again.', '', 'a login'],
    login_not_begun: ['Begin the login again.', '', 'a login that was begun here'],
    login_finished: ['Begin the login again: this one is finished.', '', 'a login that is open'],
  },
  [own('logout')]: {
    no_logout_token: ['Log out first: this is a sample receiver of the demo.', 'path'],
    bad_logout_token: [
      'Send a logout token. This is a sample receiver of the demo.',
      'logout_token',
    ],
  },
  [own('pausing')]: {
    application_paused: [
      'The user resumes the application on the account page, or at a request without prompt=none.',
      'prompt',
    ],
    authorization_paused: [
      'Wait: the user has paused the application, and can resume it. The token stays good.',
      'refresh_token',
    ],
    bad_resumption: ['Send one of the buttons of the page.', 'decision'],
  },
  [own('scopes')]: {
    bad_consent: 'Send the form of the page as it is.',
    consent_incomplete: 'Tick what the application cannot do without, or deny access.',
    consent_overtaken: 'Go back to the application and start there again.',
    consent_unsettled: [
      'Look at the page again: something changed meanwhile. Then choose anew.',
      '',
      'a decision about the page as it is now',
    ],
    consent_for_changed_client: [
      'Look at the page again: the application has changed. Then choose anew.',
      '',
      'a decision about the application as it is now',
    ],
  },
  [own('second-factor')]: {
    second_factor_needed: [
      'Use the authorization code grant.',
      'grant_type',
      'a login with two factors',
    ],
    wrong_passkey: [
      'Use a passkey of this account, or another way in.',
      '',
      'a passkey of the account',
    ],
    wrong_second_factor: [
      'Send the newest code, and check the clock of the phone.',
      'code',
      'the newest code',
    ],
    used_code: ['Wait for the next code: each counts once.', 'code', 'a code that was not used'],
    setup_too_late: ['Begin the setup again.', '', 'a setup that is open'],
    wrong_code: [
      'Send the newest code, and check the clock of the phone.',
      'code',
      'the newest code',
    ],
    passkey_taken: ['Nothing has to be done: the passkey is there already.', '', 'a new passkey'],
    too_many_passkeys: ['Remove a passkey first.', '', 'room for a passkey'],
    passkey_only_unready: ['Add two passkeys first.', '', 'two passkeys'],
  },
  [own('upstreams')]: {
    wrong_directory_password: [
      'Check name and password of the directory.',
      'username password',
      'a name and password of the directory',
    ],
    upstream_unreachable: [
      'The operator checks the other provider: it does not answer.',
      '',
      'an answer of the provider',
    ],
    upstream_wrong: [
      'The operator checks the settings of this provider.',
      '',
      'an answer that can be verified',
    ],
    upstream_refused: [
      'The person begins again, and agrees at the other provider.',
      '',
      'an approval at the provider',
    ],
    upstream_stale: [
      'Begin the login again: this one was open for too long.',
      '',
      'a login that is open',
    ],
    unknown_upstream: ['Choose a login of the page.', 'path'],
    no_trip: ['Begin the login again in this browser.', 'path'],
    bad_upstream: 'Confirm by a login that the account has.',
  },
}
