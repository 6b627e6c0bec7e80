/** Clients with certificates (RFC 8705), as the proxy that ends TLS passes them on. */
import type { CertificateRow, Flow, RequestRow } from '../flow.ts'
import { sampleCertificates, sampleKey } from '../sample-key.ts'
import { addClient, credentials, introspect, keyed, noToken, read, token } from './rows.ts'

const { kid, publicKey } = sampleKey

const form = credentials('photos:read')

const own: CertificateRow = { of: 'own' }
const other: CertificateRow = { of: 'other' }

const shown = (row: RequestRow, certificate: CertificateRow): RequestRow => ({
  ...row,
  certificate,
})

export const certificateFlow: Flow = {
  name: 'certificate',
  client: 'Sealed Envelope',
  owner: null,
  steps: [
    {
      name: 'register-certificate',
      send: addClient(
        {
          client_name: 'Sealed Envelope',
          grant_types: ['client_credentials'],
          response_types: [],
          scope: 'photos:read',
          token_endpoint_auth_method: 'self_signed_tls_client_auth',
          tls_client_certificate_bound_access_tokens: true,
          jwks: { keys: [{ ...publicKey, kid, x5c: [sampleCertificates.own] }] },
        },
        { client_id: 'client_id' },
      ),
    },
    {
      name: 'certificate-token',
      send: [shown(token(keyed, form), own), shown(introspect(keyed, '{access_token}'), own)],
    },
    { name: 'certificate-read', send: [shown(read('/api/photos'), own)] },
  ],
  attacks: [
    {
      name: 'forged-certificate',
      send: [shown(noToken(keyed, form, 401), { of: 'own', forged: true })],
    },
    { name: 'other-certificate', send: [shown(noToken(keyed, form, 401), other)] },
    { name: 'without-certificate', send: [read('/api/photos', 401)] },
    { name: 'token-and-other-certificate', send: [shown(read('/api/photos', 401), other)] },
  ],
}
