/** docs/events.md: each type of event, and what it tells. */
import { type EventType, eventTypes } from '../../src/model/event.ts'
import { code, table } from './markdown.ts'

const meanings: Readonly<Record<EventType, string>> = {
  'owner.created': 'An account was made.',
  'owner.changed':
    'An operator changed an account, or an `upstream` changed roles or `disabled`. `changed` names the members.',
  'owner.deleted': 'An account is gone, with all of its data.',
  'owner.profile_changed':
    'Users changed their own profile, or an upstream told a picture of them.',
  'owner.data_downloaded': 'Users downloaded what is stored about them.',
  'owner.access_ended': 'All logins and all access of an account ended at once.',
  'owner.deletion_requested':
    'Users deleted their account. Its data goes after `deletionDays`, unless they undo it.',
  'owner.deletion_undone': 'A user undid that.',
  'owner.password_changed': 'A password was set, by its user, a link or an operator.',
  'owner.unlocked': 'An operator ended the waits of an account. `counters` says of how many.',
  'owner.email_verified': 'A link proved an email address.',
  'link.issued': 'A link to an account was made: an invitation, or a new password.',
  'mail.sent': 'The mail server took a mail.',
  'mail.failed': 'A mail was given up.',
  'mail.held_back': 'A mail was not sent, since its mailbox had too many.',
  'login.succeeded':
    'A login. `methods` are those of RFC 8176; `program` and `system` are the browser as it names itself.',
  'login.failed': 'A wrong password.',
  'login.second_factor_failed':
    'The password was right, and what is asked beside it was wrong. Somebody may know the password.',
  'login.throttled':
    'A wrong try set a wait, told once for each wait of a known user. Of unknown names and of names in a directory, a bounded number is told. `counter` says whose tries were too many, `seconds` how long the wait is.',
  'recovery_code.used': 'A recovery code took the place of a second factor.',
  'passkey.counter_regressed': 'A passkey was refused: there may be a copy of it.',
  'factor.added': 'A passkey, one-time codes or recovery codes were set up.',
  'factor.removed': 'They were removed.',
  'upstream.linked': 'An account elsewhere was linked, and now logs in.',
  'upstream.unlinked': 'It no longer logs in.',
  'session.ended': 'A login ended before its time. `sessions` tells of several.',
  'logout.delivered': 'An application was told of a logout.',
  'logout.failed': 'An application could not be told of a logout.',
  'client.registered': 'An application was registered.',
  'client.changed': 'An application was changed. `changed` names the members.',
  'client.changed_itself':
    'An application changed what people knew of it. Their approvals have to be given again.',
  'client.secret_rotated': 'An application got a new secret.',
  'client.tokens_ended': 'All tokens of an application ended.',
  'client.registration_revoked': 'An application lost the token that changes its registration.',
  'client.deleted': 'An application is gone, with all approvals for it.',
  'client.forgotten':
    'A registered application that nobody had used is gone, with its events. Events of operators stay.',
  'authorization.approved':
    'A user allowed an application something. For a request in the background, `network` and `askedAt` say where and when it asked.',
  'authorization.delegated':
    'An application got a token for the token of another one, and now acts for it.',
  'authorization.denied':
    'A user denied an application what it asked for in the background. The details are the same.',
  'authorization.narrowed': 'It lost permissions.',
  'authorization.end_changed': 'It got another end, with `sooner` if before the old one.',
  'authorization.ended': 'It ended, with all of its tokens.',
  'authorization.paused': 'It was paused, by its user, an operator or a long silence.',
  'authorization.resumed': 'It goes on.',
  'authorization.allowed_again':
    'After an end, the owner or an operator let an issuer (`issuer`, `title`) open it again.',
  'device.connected':
    'A device was given access. `network` and `askedAt` say where and when it asked for its code.',
  'device.denied': 'A device was denied access. The details are the same.',
  'code.replayed':
    'A code came a second time. Its tokens ended, since one of the two may be a thief.',
  'code.burned':
    'A code came with a wrong verifier, address or application. It is used up, and gave no token.',
  'refresh_token.repeated':
    'A refresh was repeated within seconds, as after a lost answer, and answered again.',
  'refresh_token.reused':
    'An old refresh token came late. All tokens of its grant ended, since somebody may have stolen it.',
  'token.revoked': 'An access token was revoked.',
  'family.revoked': 'A refresh token was revoked, and with it all tokens of its grant.',
  'resource.created': 'A resource was declared.',
  'resource.changed': 'A resource was changed.',
  'resource.deleted': 'A resource is gone, with all permissions on it.',
  'owner.groups_changed':
    'The groups of an owner changed; `upstream` is there where a directory did it.',
  'group.created': 'A group of owners was made.',
  'group.changed': 'A group was renamed.',
  'group.deleted': 'A group was deleted; `members` is how many owners were in it.',
  'issuer.created': 'An issuer is trusted: its JWTs open access for owners.',
  'issuer.changed': 'Members of a trusted issuer changed, see `changed`.',
  'issuer.deleted': 'An issuer is trusted no more. All access that it opened ends.',
  'stream.created': 'An API opened a stream of signals; `host` is where its sets are posted to.',
  'stream.changed': 'A stream was changed, or got another status.',
  'stream.deleted': 'A stream is gone: by its API, an operator, or with its client.',
  'keys.rotated': 'A new key was added.',
  'keys.removed': 'A key was no longer needed (`keyId`), or keys were withdrawn (`keyIds`).',
  'keys.replaced': 'A new key took the place of all others. What they sealed or signed ended.',
  'keys.rewrapped': 'The root secret was changed.',
  'seals.begun_anew':
    'The key that seals events was lost, or lay in clear: a new chain of seals begins after `lastSeal`. Nobody can verify the seals from before.',
  'store.restored': 'The database was filled from a backup. All tokens from before ended.',
}

/** docs/events.md */
export const renderEvents = (): string =>
  [
    '# Events',
    '',
    'Generated from `src/model/event.ts` by `npm run docs`.',
    '',
    'These types are the filter `type` of the [admin API](admin-api.md), the [console](console.md) and',
    '[`latchkey event`](commands.md), and the `events` of a [webhook](monitoring.md#webhooks).',
    '[Who acted](admin-api.md#who-acted) describes `actor` and `details`.',
    '',
    'At night, look first at `code.replayed`, `refresh_token.reused` and `passkey.counter_regressed`: each',
    'may be a theft.',
    '',
    table(
      ['Type', 'What it tells'],
      eventTypes.map((type) => [code(type), meanings[type]]),
    ),
    '',
  ].join('\n')
