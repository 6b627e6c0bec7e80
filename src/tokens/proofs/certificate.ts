/** Tokens that are bound to the certificate of the client, as TLS showed it (RFC 8705 section 3). */
import { hashCertificate, parseCertificate } from '../../crypto/certificate.ts'
import { equalDigests } from '../../crypto/digest.ts'
import {
  certificateHeaders,
  malformedCertificate,
  readClientCertificate,
} from '../../http/client-certificate.ts'
import type { HttpRequest } from '../../http/request.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { certificateMethod } from '../../resource/proof.ts'
import type { ProofOfPossession } from './proof.ts'

const missing = (): Refusal =>
  new Refusal(
    'invalid_request',
    'no_certificate',
    'the tokens of this request are bound to a certificate: show it in TLS, at an endpoint that asks for one',
  )

/** The thumbprint of the certificate; null without one. @throws Refusal `invalid_request` */
const readThumbprint = (request: HttpRequest): string | null => {
  const der = readClientCertificate(request)
  if (der === null) return null
  if (der !== 'malformed' && parseCertificate(der) !== null) return hashCertificate(der)
  throw new Refusal('invalid_request', 'malformed_client_cert', malformedCertificate)
}

/** @throws Refusal `invalid_request` where the two kinds of keys compete */
const refuseDpop = ({ headers }: HttpRequest): void => {
  if (headers.get('dpop') === null) return
  const said =
    'the tokens of this client are bound to its certificate: leave the DPoP header out, or register dpop_bound_access_tokens instead'
  throw new Refusal('invalid_request', 'dpop_beside_certificate', said)
}

export const certificate: ProofOfPossession = {
  method: certificateMethod,
  member: 'tls_client_certificate_bound_access_tokens',
  header: certificateHeaders.leaf,
  missing,
  other: () =>
    new Refusal(
      'invalid_grant',
      'other_certificate',
      'the code or refresh token is bound to another certificate than that of the connection',
    ),
  // Without a proxy that is believed, no certificate ever arrives.
  describe: ({ trustedProxies }) =>
    trustedProxies.length === 0 ? {} : { tls_client_certificate_bound_access_tokens: true },
  open: () => ({
    async prove({ request }, { openid }) {
      if (openid.tls_client_certificate_bound_access_tokens !== true) return null
      refuseDpop(request)
      const value = readThumbprint(request)
      if (value === null) return null
      // TLS has proved the key, and nothing is used up.
      return { confirmation: { method: certificateMethod, value }, claim: async () => {} }
    },
    async hold({ value }, { request, scheme }) {
      // No token is bound to the digest of anything but a certificate.
      const der = readClientCertificate(request)
      const shown = der === null || der === 'malformed' ? null : hashCertificate(der)
      if (shown !== null && scheme === 'Bearer' && equalDigests(shown, value)) return
      throw new Refusal(
        'invalid_token',
        shown === null ? 'token_without_certificate' : 'token_of_other_certificate',
        'the access token is bound to a certificate: send it as Bearer, in a connection with that certificate',
      )
    },
  }),
}
