/** Loads OpenTelemetry where its variables ask for it, since its packages are many. */
import { telemetrySettings } from '../config/telemetry.ts'
import type { Clock } from '../model/ids.ts'
import type { Telemetry } from './telemetry.ts'

/** @throws Error where a package is missing */
export const openAskedTelemetry = async (
  clock: Clock,
  issuer: string,
): Promise<Telemetry | null> => {
  const asked = telemetrySettings()
  if (asked === null) return null
  const { openTelemetry } = await import('./telemetry.ts')
  return openTelemetry(asked, clock, issuer)
}
