/** `latchkey restore FILE`: fills an empty store from a backup, and ends the tokens it knew. */
import { resolve } from 'node:path'
import { loadSettings } from '../config/load.ts'
import { newSalt, systemRandom } from '../crypto/digest.ts'
import { type Restored, restore as restoreStore, type Tokens } from '../store/sql/restore.ts'
import { whileStopped } from './alone.ts'
import { paragraphs, renderCounts, renderTime } from './counts.ts'
import type { Flags } from './store.ts'

const keyFile = (url: string): string =>
  url.startsWith('sqlite:') ? `, or the file ${url.slice('sqlite:'.length)}.key` : ''

const aboutTokens = (tokens: Tokens, url: string, { sealingKeys, takenAt }: Restored): string => {
  if (tokens === 'end') {
    return 'Every token, code and login from before has ended; what owners approved stays, so applications only send them through a login again.'
  }
  const risk = `BEWARE: tokens from before ${renderTime(takenAt)} are accepted again, among them those that were revoked since.`
  return sealingKeys === 'wrapped'
    ? `${risk} The service needs the root secret that it had then: LATCHKEY_SECRET${keyFile(url)}.`
    : risk
}

const render = (path: string, url: string, tokens: Tokens, done: Restored): string =>
  paragraphs(
    `Restored ${path}, taken at ${renderTime(done.takenAt)}:`,
    renderCounts(done.rows),
    aboutTokens(tokens, url, done),
    'Whatever was changed after that moment is as it was then: passwords, secrets of clients, what owners narrowed or ended, who was disabled or deleted. Do again what must not wait.',
  )

export const restore = async (path: string, flags: Flags): Promise<string> => {
  const { store } = loadSettings({ flags })
  const tokens = flags.keepTokens === true ? 'keep' : 'end'
  const done = await whileStopped(() =>
    restoreStore(store, resolve(path), { tokens, newSalt: () => newSalt(systemRandom) }),
  )
  return flags.json === true
    ? JSON.stringify({ file: resolve(path), tokens, ...done }, null, 2)
    : render(path, store, tokens, done)
}
