/** The findings about the store: its clock, and its keys. */

import { doctorLimits } from '../../config/doctor-limits.ts'
import { isLoopbackHttp } from '../../config/issuer.ts'
import type { Settings } from '../../config/settings.ts'
import { isPlain } from '../../crypto/wrap.ts'
import { renderTime } from '../../operations/surface/said.ts'
import type { StoredKey } from '../../store/store.ts'
import { keyLimits } from '../../tokens/keys/kinds.ts'
import type { StoreParts } from '../store.ts'
import { type Finding, found, problem, weakness } from './finding.ts'
import { checkConditions } from './postgres.ts'

const daySeconds = 86_400

const checkClock = (latest: number | null, now: number): Finding | null => {
  if (latest === null || latest <= now + doctorLimits.skewSeconds) return null
  return problem(
    'clock.behind',
    `The clock of this machine is behind ${renderTime(latest)}, the latest time that a node noted.`,
    'Run a time service (chrony, systemd-timesyncd) on every node.',
  )
}

/** A service rotates its keys by itself, so an old newest key says that none does. */
const checkAge = (
  keys: readonly StoredKey[],
  now: number,
  signingDays: number,
): readonly Finding[] =>
  (['sealing', 'signing'] as const).flatMap((use) => {
    const made = keys.filter((key) => key.use === use).map(({ createdAt }) => createdAt)
    const rotation = use === 'sealing' ? keyLimits.keyRotationSeconds : signingDays * daySeconds
    const newest = Math.max(...made)
    if (made.length === 0 || now - newest <= rotation + 7 * daySeconds) return []
    return [
      weakness(
        `keys.${use}.old`,
        `The newest ${use} key is of ${renderTime(newest)}.`,
        `Run latchkey key rotate --use ${use}. A running service rotates keys by itself, so look why it did not.`,
      ),
    ]
  })

const checkRoot = async ({ openRoot }: StoreParts): Promise<Finding | null> => {
  try {
    await openRoot()
    return null
  } catch (fault) {
    return problem(
      'secret.wrong',
      `The keys do not open: ${fault instanceof Error ? fault.message : String(fault)}`,
      'Set LATCHKEY_SECRET to the root secret of this store, or restore the key file beside the database.',
    )
  }
}

const checkServer = async (
  { store, limits: set }: Pick<Settings, 'store' | 'limits'>,
  now: number,
): Promise<readonly Finding[]> => {
  if (store.startsWith('sqlite:')) return []
  // Not before it is asked for: it loads the driver of PostgreSQL.
  const { findConditions } = await import('../../store/engines/postgres/conditions.ts')
  return checkConditions(await findConditions(store), set, now)
}

export const checkStore = async (parts: StoreParts): Promise<readonly Finding[]> => {
  const { store, clock, settings } = parts
  const now = Math.floor(clock() / 1000)
  const keys = await store.listKeys()
  const isOpen = keys.some(({ wrapped }) => isPlain(wrapped)) && !isLoopbackHttp(settings.issuer)
  return [
    ...found(
      checkClock(await store.latestTime(), now),
      keys.length > 0 && (await checkRoot(parts)),
      isOpen &&
        problem(
          'keys.plain',
          'Keys stand in the database in clear: a reader of it can forge tokens.',
          'Set LATCHKEY_SECRET on every node, restart, and run latchkey key rewrap.',
        ),
    ),
    ...checkAge(keys, now, settings.keyRotationDays),
    ...(await checkServer(settings, now)),
  ]
}
