/** Requests through a proxy that passes on the certificate of a client (RFC 9440). */
import { exportJWK } from 'jose'
import { type Issued, issueCertificate, makeAuthority } from './authority.ts'
import { type ToldAnswer, toldAnswer } from './reference.ts'
import { type Form, type Init, requestOf, type Started } from './start.ts'

/** The proxy of these tests is the address that `ask` of a service comes from. */
export const proxied = { trustedProxies: ['127.0.0.1'] } as const

export const authority: Issued = makeAuthority('authority of the operator')

export const organization = [
  ['C', 'NL', 'printable'],
  ['O', 'Example, Inc.'],
] as const

/** The member of a registration for `clientCertificate`. */
export const subjectName = 'CN=client,O=Example\\, Inc.,C=NL'

export const clientCertificate: Issued = issueCertificate({
  subject: [...organization, ['CN', 'client']],
  by: authority,
})

/** Of somebody else under the same authority. */
export const otherCertificate: Issued = issueCertificate({
  subject: [...organization, ['CN', 'other']],
  by: authority,
})

/** The headers of the proxy. */
export const shown = (leaf: Issued, ...between: readonly Issued[]) => ({
  'client-cert': leaf.header,
  ...(between.length === 0
    ? {}
    : { 'client-cert-chain': between.map(({ header }) => header).join(', ') }),
})

/** A key with its certificate (RFC 7517 section 4.7). */
export const keyOf = async ({ publicKey, base64 }: Issued) => ({
  ...(await exportJWK(publicKey)),
  x5c: [base64],
})

/** A token request of a client that sends nothing but its id, and perhaps a certificate. */
export const postShown = (
  service: Pick<Started, 'ask'>,
  form: Form,
  leaf: Issued | null,
  headers: Readonly<Record<string, string>> = {},
) => service.ask('/token', { form, headers: { ...(leaf === null ? {} : shown(leaf)), ...headers } })

/** A request to an API with a bound token. */
export const askShown = (
  service: Pick<Started, 'ask'>,
  path: string,
  token: string,
  leaf: Issued | null,
  scheme = 'Bearer',
) =>
  service.ask(path, {
    headers: {
      authorization: `${scheme} ${token}`,
      ...(leaf === null ? {} : shown(leaf)),
    },
  })

/** A request from another address than the proxy's. */
export const askFrom = async (
  service: Started,
  address: string,
  path: string,
  init: Init,
): Promise<ToldAnswer> => {
  const response = await service.server().fetch(requestOf(service.issuer + path, init), address)
  return toldAnswer(response, await response.text())
}
