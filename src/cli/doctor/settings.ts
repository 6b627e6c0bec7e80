/** Weak settings: each of them works, and should not stay so where others rely on the service. */
import { isLoopback, isLoopbackHttp } from '../../config/issuer.ts'
import type { Settings } from '../../config/settings.ts'
import { freeBits, isAlmostAll, isGuessable } from '../../events/warnings.ts'
import { doctorLimits, type Finding, listFound, makeProblem, makeWeakness } from './finding.ts'

const daySeconds = 86_400

const isPlainMail = (smtp: string | null): boolean => {
  if (smtp === null || !URL.canParse(smtp)) return false
  const { protocol, hostname } = new URL(smtp)
  return protocol === 'smtp:' && !isLoopback(hostname)
}

const checkMail = ({ signUp, smtp, demo }: Settings): readonly Finding[] =>
  listFound(
    signUp === 'open' &&
      smtp === null &&
      // The demo has a mailbox of its own.
      !demo &&
      makeProblem(
        'sign_up.without_mail',
        'Everybody may sign up, and no mail can verify their addresses.',
        'Set LATCHKEY_SMTP and LATCHKEY_MAIL_FROM, or LATCHKEY_SIGN_UP=invited.',
      ),
    isPlainMail(smtp) &&
      makeWeakness(
        'mail.plain',
        'Mails with login links may leave this machine without TLS.',
        'Write LATCHKEY_SMTP as smtps://...',
      ),
  )

const checkSecrets = ({ secret, previousSecret, store }: Settings): readonly Finding[] =>
  listFound(
    secret === null &&
      !store.startsWith('sqlite:') &&
      makeProblem(
        'secret.missing',
        'A reader of the database can forge tokens: the keys in it are not wrapped.',
        'Set LATCHKEY_SECRET (openssl rand -base64 32), the same on every node, and run latchkey key rewrap.',
      ),
    secret !== null &&
      isGuessable(secret) &&
      makeWeakness(
        'secret.weak',
        'The root secret has few different characters, so it may be guessed.',
        'Make one with openssl rand -base64 32, and change it as docs/keys.md says.',
      ),
    previousSecret !== null &&
      makeWeakness(
        'secret.previous',
        'The previous root secret is still set, so it still opens the keys.',
        'Run latchkey key rewrap until it says that it is not needed any more; then remove LATCHKEY_PREVIOUS_SECRET.',
      ),
  )

const checkProxies = ({ issuer, host, trustedProxies }: Settings): readonly Finding[] =>
  listFound(
    issuer.startsWith('https:') &&
      trustedProxies.length === 0 &&
      makeWeakness(
        'proxy.unnamed',
        'No proxy is trusted, so everybody behind the TLS proxy shares every limit, and events name the address of the proxy.',
        'Set LATCHKEY_TRUSTED_PROXIES to the address of the proxy, and have it send X-Forwarded-For.',
      ),
    trustedProxies.some(isAlmostAll) &&
      makeProblem(
        'proxy.everybody',
        'Every address is trusted as a proxy, so everybody chooses the address that limits count.',
        'Name the addresses of your proxies alone in LATCHKEY_TRUSTED_PROXIES.',
      ),
    !isLoopback(host) &&
      trustedProxies.length === 0 &&
      makeWeakness(
        'listener.open',
        `The service listens on ${host} without TLS, and strangers may reach it past the proxy.`,
        'Set HOST=127.0.0.1, or let the firewall admit the proxy alone.',
      ),
  )

const checkFetching = ({ fetchAllow }: Settings): readonly Finding[] =>
  fetchAllow
    .filter((range) => freeBits(range) > doctorLimits.fetchBits)
    .map((range) =>
      makeWeakness(
        'fetch.wide',
        `The service may fetch from all of ${range}, so a wrong URL of a client or webhook reaches any machine there.`,
        'Name the addresses that upstreams, webhooks and your clients need alone in LATCHKEY_FETCH_ALLOW.',
      ),
    )

const checkOthers = (settings: Settings): readonly Finding[] =>
  listFound(
    settings.demo &&
      makeWeakness(
        'demo.on',
        'This is the demo, and everybody knows its passwords.',
        'For anything else set LATCHKEY_ISSUER to an https URL, or LATCHKEY_DEMO=0, and use a new database.',
      ),
    isLoopbackHttp(settings.issuer) &&
      !settings.demo &&
      makeWeakness(
        'issuer.loopback',
        `The issuer is ${settings.issuer}, so no other machine can use the service.`,
        'Set LATCHKEY_ISSUER to the https URL by which clients reach it.',
      ),
    settings.registration === 'open' &&
      !settings.demo &&
      makeWeakness(
        'registration.open',
        'Strangers may register clients.',
        'Set LATCHKEY_REGISTRATION=token, unless you want that (MCP clients need it).',
      ),
    settings.logLevel === 'silent' &&
      makeWeakness(
        'log.silent',
        'Nothing is logged, so no refusal and no fault can be looked up.',
        'Set LATCHKEY_LOG_LEVEL=info.',
      ),
    settings.eventSeconds < 30 * daySeconds &&
      makeWeakness(
        'events.short',
        'Events are kept for less than a month: an audit may come too late.',
        'Set LATCHKEY_EVENT_SECONDS to more, or keep them elsewhere with latchkey event follow.',
      ),
    settings.keyRotationDays > 365 &&
      makeWeakness(
        'keys.rotation',
        'Signing keys are used for more than a year.',
        'Set LATCHKEY_KEY_ROTATION_DAYS to 90.',
      ),
  )

export const checkSettings = (settings: Settings): readonly Finding[] => [
  ...checkOthers(settings),
  ...checkSecrets(settings),
  ...checkProxies(settings),
  ...checkFetching(settings),
  ...checkMail(settings),
]
