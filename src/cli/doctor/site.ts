/** The way of clients to the issuer: its TLS certificate, and its answers. */
import { isIP } from 'node:net'
import type { PeerCertificate } from 'node:tls'
import type { Settings } from '../../config/settings.ts'
import { isObject } from '../../model/json.ts'
import { stripBrackets } from '../../model/sector.ts'
import { getMetadataPlace } from '../../resource/issuer.ts'
import { getCause } from '../api.ts'
import { doctorLimits, type Finding, listFound, makeProblem, makeWeakness } from './finding.ts'

// An import would cost each start of the program 20 ms of processor time.
const loadTls = () => process.getBuiltinModule('node:tls')

/** A connection to the issuer, with the certificate that it showed. */
export interface SeenTls {
  readonly certificate: PeerCertificate
  /** Why Node does not trust it; null if it does. */
  readonly distrust: string | null
  /** The address of this machine in the connection. */
  readonly localAddress: string
}

const getCode = (fault: unknown): string => {
  const { code } = fault instanceof Error && 'code' in fault ? fault : { code: undefined }
  return typeof code === 'string' ? code : String(fault)
}

/** Null where nobody answers with TLS. Nothing is sent over the connection. */
export const seeTls = (issuer: string): Promise<SeenTls | null> => {
  const { hostname, port } = new URL(issuer)
  const host = stripBrackets(hostname)
  return new Promise((resolve) => {
    const socket = loadTls().connect({
      host,
      port: port === '' ? 443 : Number(port),
      rejectUnauthorized: false,
      // An address is no name (RFC 6066 section 3).
      ...(isIP(host) === 0 ? { servername: host } : {}),
    })
    const end = (seen: SeenTls | null): void => {
      socket.destroy()
      resolve(seen)
    }
    socket.setTimeout(doctorLimits.answerMilliseconds, () => end(null))
    socket.once('error', () => end(null))
    socket.once('secureConnect', () => {
      const { authorizationError: fault, localAddress = '' } = socket
      const distrust = fault === null || fault === undefined ? null : getCode(fault)
      end({ certificate: socket.getPeerCertificate(), distrust, localAddress })
    })
  })
}

const dayMilliseconds = 86_400_000

const checkEnd = (until: string, now: number): Finding | null => {
  const days = Math.floor((Date.parse(until) - now) / dayMilliseconds)
  if (days >= doctorLimits.certificateDays) return null
  const fix = 'Renew the certificate, and look why it was not renewed by itself.'
  return days < 0
    ? makeProblem('tls.expired', `The certificate of the issuer ended on ${until}.`, fix)
    : makeWeakness('tls.expires', `The certificate of the issuer ends on ${until}.`, fix)
}

/** Codes of what other checks tell. */
const toldElsewhere = ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']

/** @param now unix milliseconds */
const checkCertificate = (
  { certificate, distrust }: SeenTls,
  issuer: string,
  now: number,
): readonly Finding[] => {
  const host = stripBrackets(new URL(issuer).hostname)
  return listFound(
    checkEnd(certificate.valid_to, now),
    loadTls().checkServerIdentity(host, certificate) !== undefined &&
      makeProblem(
        'tls.name',
        `The certificate of the issuer is not for ${host}.`,
        `Get a certificate for ${host}, or correct LATCHKEY_ISSUER.`,
      ),
    distrust !== null &&
      !toldElsewhere.includes(distrust) &&
      makeProblem(
        'tls.untrusted',
        `The certificate of ${issuer} is not trusted: ${distrust}.`,
        'Install a certificate of a public authority, with its whole chain (fullchain.pem). For an authority of your own, set NODE_EXTRA_CA_CERTS to its file and restart the service.',
      ),
  )
}

/** Asks a URL without following redirects. */
type AskUrl = (url: string) => Promise<Response>

const askUrl: AskUrl = (url) =>
  fetch(url, { signal: AbortSignal.timeout(doctorLimits.answerMilliseconds), redirect: 'manual' })

const explainSilence = (fault: unknown, url: string): Finding =>
  makeProblem(
    'issuer.unreachable',
    `${url} does not answer: ${getCause(fault)}.`,
    'Start the service and its proxy. If only this machine cannot reach it, check DNS and the firewall.',
  )

const fixOf = (status: number): string => {
  if (status === 421)
    return 'Have the proxy pass on the header Host, or add the name that it sends to LATCHKEY_HOSTS.'
  return status >= 500
    ? 'Look whether the service runs, and whether the proxy names its host and port. Their logs say more.'
    : 'Let the proxy pass on every path of LATCHKEY_ISSUER, and those that begin with /.well-known/.'
}

const checkClock = (answer: Response, now: number): Finding | null => {
  const told = Date.parse(answer.headers.get('date') ?? '')
  const off = Math.round(Math.abs(told - now) / 1000)
  if (Number.isNaN(off) || off <= doctorLimits.skewSeconds) return null
  return makeProblem(
    'clock.differs',
    `The clock of this machine and that of the service differ by ${off} seconds.`,
    'Run a time service (chrony, systemd-timesyncd) on every node.',
  )
}

const checkMetadata = (said: unknown, issuer: string): Finding | null => {
  const told = isObject(said) ? said.issuer : null
  if (told === issuer) return null
  return makeProblem(
    'issuer.differs',
    `${issuer} answers as the issuer ${String(told)}, so clients refuse it.`,
    'Set LATCHKEY_ISSUER to the URL that clients use, or mend the path in the proxy.',
  )
}

/** Plain http beside https: it has to lead to https. */
const checkPlain = async (issuer: string, ask: AskUrl): Promise<Finding | null> => {
  const plain = issuer.replace(/^https:/, 'http:').replace(/:\d+(?=\/|$)/, '')
  const answer = await ask(`${plain}/.well-known/oauth-authorization-server`).catch(() => null)
  if (answer === null || answer.status >= 300) return null
  return makeProblem(
    'tls.missing',
    `${plain} answers without TLS: passwords and tokens could be read on the way.`,
    'Let the proxy redirect http to https.',
  )
}

const checkTransport = (answer: Response, issuer: string): Finding | null => {
  if (!issuer.startsWith('https:') || answer.headers.has('strict-transport-security')) return null
  return makeWeakness(
    'tls.header',
    'The proxy removes the header Strict-Transport-Security.',
    'Let the proxy pass on the headers of the service.',
  )
}

const checkAnswer = async (
  issuer: string,
  now: number,
  ask: AskUrl,
): Promise<readonly Finding[]> => {
  const url = getMetadataPlace(issuer)
  let answer: Response
  try {
    answer = await ask(url)
  } catch (fault) {
    return [explainSilence(fault, url)]
  }
  if (answer.status !== 200) {
    return [makeProblem('proxy.status', `${url} answers ${answer.status}.`, fixOf(answer.status))]
  }
  const said: unknown = await answer.json().catch(() => null)
  return listFound(
    checkMetadata(said, issuer),
    checkClock(answer, now),
    checkTransport(answer, issuer),
    issuer.startsWith('https:') ? await checkPlain(issuer, ask) : null,
  )
}

/** @param now unix milliseconds */
export const checkSite = async (
  { issuer }: Pick<Settings, 'issuer'>,
  now: number,
  ask: AskUrl = askUrl,
): Promise<readonly Finding[]> => {
  // The port is known to the service alone.
  if (issuer.endsWith(':0')) return []
  const seen = issuer.startsWith('https:') ? await seeTls(issuer) : null
  const ofTls = seen === null ? [] : checkCertificate(seen, issuer, now)
  // Nothing is asked over a connection that no client would use.
  if (ofTls.some(({ level }) => level === 'error')) return ofTls
  return [...ofTls, ...(await checkAnswer(issuer, now, ask))]
}
