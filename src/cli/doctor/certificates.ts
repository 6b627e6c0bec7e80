/** Certificates of clients: whether any arrives, and whether the proxy lets visitors forge one. */
import { certificateHeaders, malformedCertificate } from '../../http/client-certificate.ts'
import type { Client } from '../../model/client.ts'
import { isObject } from '../../model/json.ts'
import { parameterLimits } from '../../protocol/parameters.ts'
import { builtIn, mergeRegistries } from '../../registries.ts'
import type { StoreParts } from '../store.ts'
import { doctorLimits, type Finding, makeProblem } from './finding.ts'

type ProxySettings = Pick<StoreParts, 'settings'>

/** Methods that work only with a proxy or an authority. */
const conditional = builtIn.clientMethods.filter(({ isOffered }) => isOffered !== undefined)

/** @param clients the applications that are looked at */
export const checkCertificateClients = (
  clients: readonly Pick<Client, 'id' | 'authenticationMethod' | 'openid'>[],
  { settings }: ProxySettings,
): Finding | null => {
  const offered = mergeRegistries({}, settings).clientMethods
  const lacks = ({ authenticationMethod: method, openid }: (typeof clients)[number]): boolean => {
    const isConditional = conditional.some(({ name }) => name === method)
    if (isConditional) return offered.every(({ name }) => name !== method)
    const isBound = openid.tls_client_certificate_bound_access_tokens === true
    return isBound && settings.trustedProxies.length === 0
  }
  const [first, ...others] = clients.filter(lacks)
  if (first === undefined) return null
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return makeProblem(
    'clients.certificate',
    `${first.id}${more} cannot get tokens: their certificates do not arrive, or no authority is known.`,
    'Set LATCHKEY_TRUSTED_PROXIES, and for tls_client_auth LATCHKEY_CLIENT_CA, as docs/mutual-tls.md says.',
  )
}

/** The applications of the operator, up to a bound. */
export const listOwnClients = async ({ store }: Pick<StoreParts, 'store'>) => {
  const clients: Client[] = []
  let after: string | null = null
  do {
    const page = await store.listClients(after, parameterLimits.pageRows, { broughtBy: 'operator' })
    clients.push(...page.rows)
    after = page.next
  } while (after !== null && clients.length < doctorLimits.clients)
  return clients
}

/**
 * Whether a visitor can send a certificate that the service believes. The one here is none, and a client of a
 * certificate is told so.
 */
export const checkForgedCertificate = async (
  clients: readonly Pick<Client, 'id' | 'authenticationMethod' | 'disabled'>[],
  { settings: { issuer, trustedProxies } }: ProxySettings,
): Promise<Finding | null> => {
  const client = clients.find(
    ({ authenticationMethod: method, disabled }) =>
      !disabled && conditional.some(({ name }) => name === method),
  )
  if (client === undefined) return null
  // Without a trusted proxy no certificate counts, and without TLS nothing stands before the service.
  if (trustedProxies.length === 0 || !issuer.startsWith('https:')) return null
  const said: unknown = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { [certificateHeaders.leaf]: 'latchkey-doctor' },
    body: new URLSearchParams({ client_id: client.id, grant_type: 'client_credentials' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(doctorLimits.answerMilliseconds),
  })
    .then((answer) => answer.json())
    .catch(() => null)
  if (!isObject(said) || said.error_description !== malformedCertificate) return null
  return makeProblem(
    'proxy.certificate',
    'The proxy passes on a Client-Cert that a visitor wrote, so everybody is any client with a certificate.',
    "Let the proxy remove the header: in nginx, proxy_set_header Client-Cert ''; and the same for Client-Cert-Chain.",
  )
}
