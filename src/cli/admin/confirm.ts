/** Deleting asks at a terminal. Elsewhere nobody can answer, so `--yes` has to be there. */
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { UsageFault } from '../../config/remote.ts'
import type { Flags } from '../store.ts'

/**
 * @param ends what goes, in one sentence
 * @throws UsageFault where nobody agreed
 */
export const confirmDeletion = async (ends: string, { yes }: Flags): Promise<void> => {
  if (yes === true) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageFault(`${ends} Say --yes for it`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Nobody answers a terminal that was closed.
  const closed = once(lines, 'close').then(() => '')
  const answer = await Promise.race([lines.question(`${ends} Type yes to go on: `), closed])
  lines.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new UsageFault('nothing was deleted')
}
