/** The settings that say how long something lasts or is kept. */
import { oneOf, type SettingRows, wholeNumber } from './values.ts'

const day = 24 * 3600
const longest = 3650 * day

const seconds = (fallback: number, meaning: string, when: string) => ({
  takes: '<number>',
  parse: wholeNumber(1, longest),
  fallback,
  meaning,
  when,
})

export const lifetimeSettings = {
  accessTokenSeconds: seconds(
    3600,
    'Lifetime of an access token, unless its client has its own.',
    'APIs that verify JWTs offline should forget a token sooner, or clients cannot refresh.',
  ),
  refreshTokenSeconds: seconds(
    30 * day,
    'How long a refresh token may stay unused, unless its client has its own setting.',
    'People come back more rarely than that, or a rule wants a login more often.',
  ),
  sessionSeconds: seconds(
    day / 2,
    'How long an owner stays logged in.',
    'People share computers, or should log in less often.',
  ),
  eventSeconds: seconds(
    400 * day,
    'How long events are kept, such as logins and approvals.',
    'A rule for audits names a time, or the database is to stay small.',
  ),
  accessLogSeconds: seconds(
    30 * day,
    'How long the access log is kept; whole days (UTC). It shows owners the uses by applications.',
    'A rule for privacy names a time, or owners should see further back.',
  ),
  defaultDuration: {
    takes: '<duration>',
    parse: oneOf(['session', 'day', 'month', 'forever']),
    fallback: 'forever',
    meaning:
      'How long an approval lasts unless its owner chooses otherwise: session, day, month or forever. For clients that registered themselves it is a month.',
    when: 'Approvals should end by themselves unless somebody chooses otherwise.',
  },
  pauseUnusedDays: {
    takes: '<number>',
    parse: wholeNumber(0, 3650),
    fallback: 0,
    meaning:
      'An application that its owner allowed is paused after so many days without a use. Its owner can resume it. 0 pauses none.',
    when: 'Forgotten applications should lose their access.',
  },
  deletionDays: {
    takes: '<number>',
    parse: wholeNumber(0, 365),
    fallback: 14,
    meaning:
      'The days between the deletion of an account by its owner and the end of its data. Until then the owner can undo it.',
    when: 'A rule names another time, or people should have longer to change their minds.',
  },
} as const satisfies SettingRows
