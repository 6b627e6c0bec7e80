/** The examination itself. The examination runs in the service where there is one. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../config/settings.ts'
import { findKept } from '../../events/explain-refusal.ts'
import { getNetwork, isTrusted, listRanges, unwrapAddress } from '../../http/address.ts'
import { isObject } from '../../model/json.ts'
import type { Flags, StoreParts } from '../store.ts'
import { checkCertificateClients, checkForgedCertificate, listOwnClients } from './certificates.ts'
import { doctorLimits, type Finding, listFound, makeProblem } from './finding.ts'
import { checkMachine, readMachine } from './machine.ts'
import { findStricter, type ToldProfile } from './profiles.ts'
import { checkSettings } from './settings.ts'
import { checkSite, seeTls } from './site.ts'
import { checkStore } from './store.ts'

/** Reserved for documentation (RFC 5737), so nobody has it. */
const forged = '203.0.113.77'

type ProbeParts = Pick<StoreParts, 'settings' | 'store' | 'refusals' | 'clock'>

/** A refused request; its reference, or null. */
const askRefused = async (
  issuer: string,
  headers: Readonly<Record<string, string>>,
): Promise<string | null> => {
  const signal = AbortSignal.timeout(doctorLimits.answerMilliseconds)
  const answer = await fetch(`${issuer}/admin/api/keys`, {
    headers: { Authorization: 'Bearer latchkey-doctor', ...headers },
    redirect: 'manual',
    signal,
  })
  const said: unknown = await answer.json().catch(() => null)
  const reference = isObject(said) ? said.latchkey_reference : null
  return typeof reference === 'string' ? reference : null
}

/** The network that the service noted. Another node writes its refusals every few seconds. */
const waitForNetwork = async (reference: string, parts: ProbeParts): Promise<string | null> => {
  for (let second = 0; second <= doctorLimits.refusalSeconds; second++) {
    const kept = await findKept(reference, Math.floor(parts.clock() / 1000), parts)
    if (kept !== null) return kept.network
    await pause(1000)
  }
  return null
}

const checkNetworks = (
  seen: string,
  withForged: string,
  local: string,
  proxies: readonly string[],
): Finding | null => {
  if (withForged === getNetwork(forged)) {
    return makeProblem(
      'proxy.forged',
      'The proxy passes on an X-Forwarded-For that a visitor wrote, so everybody chooses the address that limits count.',
      'Let the proxy write the header anew: in nginx, proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for.',
    )
  }
  const ofProxies = proxies.map((range) => getNetwork(range.split('/')[0] ?? ''))
  if (seen === getNetwork(local) || !ofProxies.includes(seen)) return null
  return makeProblem(
    'proxy.silent',
    `The proxy names no visitor, so everybody counts as the proxy itself (${seen}).`,
    'Let the proxy send X-Forwarded-For: in nginx, proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for.',
  )
}

/**
 * Nothing where it cannot be known: the proxy is not named, or this machine counts as one.
 *
 * @param localAddress of this machine, in a connection to the issuer
 */
const checkForwarded = async (parts: ProbeParts, localAddress: string): Promise<Finding | null> => {
  const { issuer, trustedProxies } = parts.settings
  const local = unwrapAddress(localAddress)
  const isKnown = trustedProxies.length > 0 && !isTrusted(listRanges(trustedProxies), local)
  if (!isKnown) return null
  const references = await Promise.all([
    askRefused(issuer, {}),
    askRefused(issuer, { 'X-Forwarded-For': forged }),
  ]).catch(() => [])
  const [plain, other] = references
  if (typeof plain !== 'string' || typeof other !== 'string') return null
  const seen = await waitForNetwork(plain, parts)
  const withForged = await waitForNetwork(other, parts)
  if (seen === null || withForged === null) return null
  return checkNetworks(seen, withForged, local, trustedProxies)
}

/** Everything but the store. */
export const checkAround = async (settings: Settings): Promise<readonly Finding[]> =>
  listFound(
    checkSettings(settings),
    checkMachine(settings, readMachine()),
    await checkSite(settings, Date.now()),
  )

/** The findings, and the clients that a stricter profile would break. */
export interface Examined {
  readonly findings: readonly Finding[]
  readonly profiles: readonly ToldProfile[]
}

/** The settings and limits of the service count, not those of the command. */
export const examine = async (_flags: Flags, parts: StoreParts): Promise<string> => {
  const { settings } = parts
  const seen = settings.issuer.startsWith('https:') ? await seeTls(settings.issuer) : null
  const clients = await listOwnClients(parts)
  const findings = listFound(
    await checkAround(settings),
    seen && (await checkForwarded(parts, seen.localAddress)),
    await checkForgedCertificate(clients, parts),
    await checkStore(parts),
    checkCertificateClients(clients, parts),
  )
  const examined: Examined = { findings, profiles: await findStricter(parts) }
  return JSON.stringify(examined)
}
