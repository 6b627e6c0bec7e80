/** The examination itself. It runs in the service where there is one. */
import type { Settings } from '../../config/settings.ts'
import type { Flags, StoreParts } from '../store.ts'
import { seeTls } from './certificate.ts'
import type { Finding } from './finding.ts'
import { checkMachine, thisMachine } from './machine.ts'
import { checkForwarded } from './proxy.ts'
import { checkSettings } from './settings.ts'
import { checkSite } from './site.ts'
import { checkStore } from './store.ts'

/** Everything but the store. */
export const checkAround = async (settings: Settings): Promise<readonly Finding[]> => [
  ...checkSettings(settings),
  ...checkMachine(settings, thisMachine()),
  ...(await checkSite(settings, Date.now())),
]

const checkProxy = async (parts: StoreParts): Promise<readonly Finding[]> => {
  const { issuer } = parts.settings
  const seen = issuer.startsWith('https:') ? await seeTls(issuer) : null
  return seen === null ? [] : checkForwarded(parts, seen.localAddress)
}

/** The settings and limits of the service count, not those of the command. */
export const examine = async (_flags: Flags, parts: StoreParts): Promise<string> => {
  const findings = [
    ...(await checkAround(parts.settings)),
    ...(await checkProxy(parts)),
    ...(await checkStore(parts)),
  ]
  return JSON.stringify(findings)
}
