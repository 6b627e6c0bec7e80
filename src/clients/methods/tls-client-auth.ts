/**
 * `tls_client_auth` and `self_signed_tls_client_auth`: the client shows a certificate in TLS (RFC 8705 section 2).
 * Its name counts under an authority of the operator, or the certificate itself is registered.
 */
import type { Settings } from '../../config/settings.ts'
import { type Certificate, parseCertificate } from '../../crypto/certificate.ts'
import { findChainFault, isValidAt, readAuthorities } from '../../crypto/certificate-chain.ts'
import {
  malformedCertificate,
  readCertificateChain,
  readClientCertificate,
} from '../../http/client-certificate.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Client } from '../../model/client.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { certificateNames, listRegisteredNames } from '../certificate-names.ts'
import { boundAssertions } from '../jwt-assertion.ts'
import { type ClientMethod, invalidClient, type Presenter, type ProvingParts } from './method.ts'

type VerifyCertificate = (
  certificate: Certificate,
  between: readonly Certificate[],
  client: Client,
  by: Presenter,
  parts: ProvingParts,
) => Promise<Client | Refusal> | Client | Refusal

const place = 'the certificate of the connection'

const malformed = (): Refusal => invalidClient('malformed_certificate', malformedCertificate)

/** The certificate and what came with it; null without one. */
const readShown = (
  request: HttpRequest,
): { readonly leaf: Certificate; readonly between: readonly Certificate[] } | Refusal | null => {
  const der = readClientCertificate(request)
  const chain = readCertificateChain(request)
  if (der === null) return null
  const leaf = der === 'malformed' ? null : parseCertificate(der)
  const between = chain === 'malformed' ? null : chain.map(parseCertificate)
  const known = between?.filter((one) => one !== null) ?? []
  return leaf === null || known.length !== between?.length ? malformed() : { leaf, between: known }
}

const readBy =
  (verify: VerifyCertificate): ClientMethod['read'] =>
  (request, parameters) => {
    const id = parameters.find('client_id')
    if (id === null) return null
    return {
      id,
      verify(client, by, parts) {
        // The header of a proxy that writes it wrongly is nothing to a client of another method.
        const shown = readShown(request)
        if (shown instanceof Refusal) return shown
        if (shown === null) return invalidClient('missing_certificate')
        return verify(shown.leaf, shown.between, client, by, parts)
      },
    }
  }

const hasProxies = ({ trustedProxies }: Pick<Settings, 'trustedProxies'>): boolean =>
  trustedProxies.length > 0

export const tlsClientAuth: ClientMethod = {
  name: 'tls_client_auth',
  place,
  alsoFor: [],
  isOfConnection: true,
  issues: 'nothing',
  isOffered: (settings) => hasProxies(settings) && settings.clientCa.length > 0,
  lacks({ openid }) {
    const members = certificateNames.map(({ member }) => member).join(', ')
    return listRegisteredNames(openid).length === 1 ? null : `exactly one of ${members}`
  },
  read: readBy((leaf, between, client, by, parts) => {
    const [name, second] = listRegisteredNames(client.openid)
    if (name === undefined || second !== undefined) return invalidClient('certificate_name')
    return boundAssertions(client, by, parts, async () => {
      const authorities = readAuthorities(parts.settings.clientCa) ?? []
      const fault = findChainFault(leaf, between, authorities, by.at)
      if (fault !== null) return invalidClient(fault)
      return name.isOf(leaf, name.text) ? client : invalidClient('certificate_name')
    })
  }),
}

export const selfSignedTlsClientAuth: ClientMethod = {
  name: 'self_signed_tls_client_auth',
  place,
  alsoFor: [],
  isOfConnection: true,
  issues: 'nothing',
  isOffered: hasProxies,
  lacks({ openid: { jwks, jwks_uri: uri } }) {
    const has = uri !== undefined || jwks?.keys.some(({ x5c = [] }) => x5c.length > 0) === true
    return has ? null : 'jwks with keys that have x5c, or jwks_uri'
  },
  read: readBy(async (leaf, _between, client, by, { clientKeys }) => {
    if (!isValidAt(leaf, by.at)) return invalidClient('certificate_date')
    const found = await clientKeys.find(client, { certificate: leaf.der }, by)
    if (found.is === 'unreachable') {
      const said = 'the host of jwks_uri does not answer'
      return new Refusal('temporarily_unavailable', 'client_keys_unreachable', said)
    }
    if (found.is !== 'found') return invalidClient('certificate_keys')
    return found.keys.length > 0 ? client : invalidClient('unknown_certificate')
  }),
}
