/** Tells the operator that the process has no file descriptor left. New connections end unanswered then. */
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import type { Tell } from '../model/notice.ts'

const message =
  'no file descriptor is left, so new connections end without an answer; allow more, by LimitNOFILE in systemd or ulimit -n in a shell'

const isWant = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE'].includes(String(error.code))

/** A check that warns once per shortage. Node itself says nothing of connections that it ends. */
export const watchDescriptors = (tell: Tell): (() => Promise<void>) => {
  let isShort = false
  return async () => {
    const wasShort = isShort
    try {
      await (await open(devNull)).close()
      isShort = false
    } catch (error) {
      isShort = isWant(error)
    }
    if (isShort && !wasShort) tell({ level: 'error', message })
  }
}
