/** The TLS certificate of the issuer, as clients see it. */
import { isIP } from 'node:net'
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls'
import { bareHost } from '../../model/host.ts'
import { doctorLimits, type Finding, found, problem, weakness } from './finding.ts'

/** A connection to the issuer, with the certificate that it showed. */
export interface SeenTls {
  readonly certificate: PeerCertificate
  /** Why Node does not trust it; null if it does. */
  readonly distrust: string | null
  /** The address of this machine in the connection. */
  readonly localAddress: string
}

const codeOf = (fault: unknown): string => {
  const { code } = fault instanceof Error && 'code' in fault ? fault : { code: undefined }
  return typeof code === 'string' ? code : String(fault)
}

/** Null where nobody answers with TLS. Nothing is sent over the connection. */
export const seeTls = (issuer: string): Promise<SeenTls | null> => {
  const { hostname, port } = new URL(issuer)
  const host = bareHost(hostname)
  return new Promise((resolve) => {
    const socket = connect({
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
      const distrust = fault === null || fault === undefined ? null : codeOf(fault)
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
    ? problem('tls.expired', `The certificate of the issuer ended on ${until}.`, fix)
    : weakness('tls.expires', `The certificate of the issuer ends on ${until}.`, fix)
}

/** Codes of what other checks tell. */
const toldElsewhere = ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']

/** @param now unix milliseconds */
export const checkCertificate = (
  { certificate, distrust }: SeenTls,
  issuer: string,
  now: number,
): readonly Finding[] => {
  const host = bareHost(new URL(issuer).hostname)
  return found(
    checkEnd(certificate.valid_to, now),
    checkServerIdentity(host, certificate) !== undefined &&
      problem(
        'tls.name',
        `The certificate of the issuer is not for ${host}.`,
        `Get a certificate for ${host}, or correct LATCHKEY_ISSUER.`,
      ),
    distrust !== null &&
      !toldElsewhere.includes(distrust) &&
      problem(
        'tls.untrusted',
        `The certificate of ${issuer} is not trusted: ${distrust}.`,
        'Install a certificate of a public authority, with its whole chain (fullchain.pem). For an authority of your own, set NODE_EXTRA_CA_CERTS to its file and restart the service.',
      ),
  )
}
