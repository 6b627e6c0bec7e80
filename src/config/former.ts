/** Limits that an operator could set once. The log names one that is still set, and its replacement. */
import { limitVariable } from './settable-limits.ts'

const cache = 'set LATCHKEY_CACHE_MB for all caches together'
const connections = 'set LATCHKEY_LIMIT_POSTGRES_CONNECTIONS for reads and writes together'

/** By the former name: what is there instead. */
export const formerLimits: Readonly<Record<string, string>> = {
  refusalsPerMinute: 'an address always has 1000 refused requests in a minute',
  freeTries: 'five wrong tries of one name are always free',
  longestTryWaitSeconds: 'the longest wait is always 900 seconds',
  mailsPerMailbox: 'a mailbox always gets five mails of one kind in an hour',
  itemsPerResource: 'an owner always has room for 100000 items in a resource',
  ownItemsPerResource: 'a client that registered itself always has room for 50 items in a resource',
  passkeysPerOwner: 'an owner always has room for 20 passkeys',
  mailsWaiting: '10000 mails may always wait',
  revocationPolls: '10000 APIs may always wait for revocations',
  revocationPollsPerClient: '1000 APIs of one client may always wait for revocations',
  itemBytes: 'an item always has 65536 bytes at most',
  clientLogoBytes: 'the picture of a client always has 65536 bytes at most',
  codeSeconds: 'a code always lasts 60 seconds',
  journeySeconds: 'an authorization request always waits 900 seconds',
  ceremonySeconds: 'a second step of a login always waits 600 seconds',
  refreshRetrySeconds: 'a repeated refresh always gets the same successor for 30 seconds',
  idTokenSeconds: 'an ID token always lasts 3600 seconds',
  handedResetLinkSeconds: 'a link to a new password from the operator always works for a day',
  verifyLinkSeconds: 'a link that proves an address always works for a day',
  signUpLinkSeconds: 'a link that makes an account always works for a day',
  mailKeepSeconds: 'a mail that cannot be sent is always tried for a day',
  logoutNoticeSeconds: 'a logout is always told again for a day',
  addressesCounted: 'a node always counts 50000 addresses',
  keySetsCached: 'a node always keeps 200 key sets',
  clientCacheBytes: cache,
  authorizationCacheBytes: cache,
  familyCacheBytes: cache,
  itemCacheBytes: cache,
  headerSeconds: 'headers always have 10 seconds to come',
  requestSeconds: 'a request always has 30 seconds to come',
  stalledSeconds: 'a download always ends after 60 seconds without a reader',
  fetchMilliseconds: 'a request to another site always has 8 seconds',
  fetchesAtOnce: 'there are always 32 requests to other sites at once',
  fetchesPerHost: 'there are always four requests to one host at once',
  passwordHashesAtOnce: 'two passwords are always hashed at the same time',
  passwordHashesWaiting: '200 passwords may always wait for that',
  postgresReadConnections: connections,
  postgresStepConnections: connections,
}

const byVariable = new Map(
  Object.entries(formerLimits).map(([name, instead]) => [limitVariable(name), instead]),
)

/** The end of a sentence about a former limit; null for any other name. */
export const goneLimit = (name: string): string | null => {
  const instead =
    byVariable.get(name) ?? (Object.hasOwn(formerLimits, name) ? formerLimits[name] : undefined)
  return instead === undefined ? null : ` is gone: ${instead}`
}
