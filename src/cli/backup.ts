/** `latchkey backup FILE`: what the store holds at this moment, in one file, also while services run. */
import { resolve } from 'node:path'
import { loadSettings } from '../config/load.ts'
import { apiNames, asJson, paragraphs } from '../operations/surface/said.ts'
import { type BackedUp, backUp } from '../store/transfer/dump.ts'
import { renderCounts } from './counts.ts'
import type { Flags } from './store.ts'

const keyNotes = {
  wrapped: (url: string): string =>
    url.startsWith('sqlite:')
      ? `The sealing keys are in it, wrapped under the root secret. The root secret is not: LATCHKEY_SECRET, or the file ${url.slice('sqlite:'.length)}.key. Keep that elsewhere; restore --keep-tokens needs it, and so do one-time codes of owners.`
      : 'The sealing keys are in it, wrapped under LATCHKEY_SECRET. That secret is not. Keep it elsewhere; restore --keep-tokens needs it, and so do one-time codes of owners.',
  plain: (): string =>
    'BEWARE: the sealing keys are in it in clear, since the store was started without LATCHKEY_SECRET. A reader of this file can forge tokens.',
  none: (): null => null,
}

const render = (path: string, url: string, done: BackedUp): string =>
  paragraphs(
    `Backed up to ${path} (${done.bytes.toLocaleString('en')} bytes, SHA-256 of its lines ${done.sha256}):`,
    renderCounts(done.rows),
    keyNotes[done.sealingKeys](url),
  )

export const backup = async (path: string, flags: Flags): Promise<string> => {
  const { store } = loadSettings({ flags })
  const done = await backUp(store, resolve(path), Math.floor(Date.now() / 1000))
  return flags.json === true
    ? asJson(apiNames({ file: resolve(path), ...done }))
    : render(path, store, done)
}
