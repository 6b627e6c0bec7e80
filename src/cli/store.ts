/** Commands that work on the store itself, while no service runs on it. */
import { userInfo } from 'node:os'
import { loadSettings } from '../config/load.ts'
import { systemRandom } from '../crypto/digest.ts'
import { createPasswords } from '../crypto/password.ts'
import { seedDemo } from '../demo/seed.ts'
import { grants } from '../grants/index.ts'
import { makeId, type Parts } from '../parts.ts'
import { openStore } from '../server.ts'
import { StoreRefusal } from '../store/fault.ts'
import type { Trace } from '../store/store.ts'

export type StoreParts = Pick<Parts, 'settings' | 'store' | 'clock' | 'random'> & {
  /** The trace of one step; the command line is no request. */
  readonly trace: () => Trace
}

/** Flags as commander gives them. */
export type Flags = Readonly<Record<string, unknown>>

const explained = (fault: unknown, issuer: string): unknown =>
  fault instanceof StoreRefusal && fault.message.includes('in use')
    ? new StoreRefusal(
        `${fault.message}: the service is running; end it first, or use its admin API, which does the same (${issuer}/admin/api)`,
      )
    : fault

/**
 * In the demo the first command of all seeds it, as the first start would have: a store is empty
 * only once, and the start after it announces people who have to be there.
 */
export const seedFirst = async (parts: StoreParts): Promise<void> => {
  if (parts.settings.demo) await seedDemo({ ...parts, passwords: createPasswords() }, grants)
}

/** Who runs the command; in a container there may be a number and no name. */
const systemUser = (): string => {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Opens the store of the settings, does the work and closes it again. */
export const withStore = async <Result>(
  flags: Flags,
  work: (parts: StoreParts) => Promise<Result>,
): Promise<Result> => {
  const settings = loadSettings({ flags })
  const store = await openStore(settings).catch((fault: unknown) => {
    throw explained(fault, settings.issuer)
  })
  try {
    const needed = { settings, store, clock: Date.now, random: systemRandom }
    const trace = (): Trace => ({
      eventId: makeId(needed),
      at: Math.floor(Date.now() / 1000),
      requestId: null,
      actor: { type: 'cli', user: systemUser() },
    })
    return await work({ ...needed, trace })
  } finally {
    await store.close()
  }
}
