/** The demo behind a free port, with the clock of the system: for libraries that read the time themselves. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load.ts'
import { startService } from '../../src/embed.ts'
import { memoryOr } from './memory.ts'

export interface Listening {
  readonly issuer: string
  /** Where its database lies, for commands beside it. */
  readonly store: string
  close(): Promise<void>
}

/** @param given further variables */
export const listen = async (given: Readonly<Record<string, string>> = {}): Promise<Listening> => {
  const folder = mkdtempSync(join(memoryOr(), 'latchkey-'))
  const store = `sqlite:${join(folder, 'latchkey.db')}`
  const env = { LATCHKEY_STORE: store, PORT: '0', ...given }
  const settings = loadSettings({ env, flags: {}, cwd: folder })
  const service = await startService({ settings, tell: () => {} })
  return {
    issuer: service.issuer,
    store,
    async close() {
      await service.close()
      rmSync(folder, { recursive: true })
    },
  }
}
