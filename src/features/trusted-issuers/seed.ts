/** The issuers of the settings, created at the first start that sees their ids. */

import type { ServiceParts } from '../../registries.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import { finishEndedIssuers } from './ending.ts'
import { issuerLimits } from './limits.ts'
import { isSameIssuer } from './setting.ts'

/** An issuer of the settings cannot be created; the service does not start. */
class IssuerConflict extends Error {
  override readonly name = 'IssuerConflict'
}

const conflicts = {
  issuer_taken: 'has the "issuer" of another one',
  too_many: `is one too many: there may be ${issuerLimits.issuers}`,
} as const

/** One that was changed or deleted later stays as it is. @throws IssuerConflict */
export const seedIssuers = async (
  parts: Pick<ServiceParts, 'settings' | 'store' | 'clock' | 'random' | 'tell'>,
): Promise<void> => {
  const { settings, store, tell } = parts
  if (settings.issuers.length === 0) return
  const trace = () => makeServiceTrace(Math.floor(parts.clock() / 1000), parts)
  await finishEndedIssuers(store, trace)
  for (const issuer of settings.issuers) {
    const { issuers: most } = issuerLimits
    const outcome = await store.createTrustedIssuer(issuer, most, trace(), false)
    if (outcome === 'created') continue
    if (outcome !== 'id_taken') {
      throw new IssuerConflict(`the setting issuers: "${issuer.id}" ${conflicts[outcome]}`)
    }
    const stored = await store.findTrustedIssuer(issuer.id)
    const message = 'the stored issuer differs from the setting issuers, and the stored one counts'
    if (stored === null || isSameIssuer(stored, issuer)) continue
    tell({ level: 'info', message, issuer: issuer.id })
  }
}
