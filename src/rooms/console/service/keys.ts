/** `/admin/keys`: the keys of the service, new ones, and the end of a signing key. */

import type { Answer } from '../../../http/answer.ts'
import { rotateKeys } from '../../../operations/keys.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { keyStateOf, withdrawSigningKey } from '../../../tokens/keys/operate.ts'
import { showPage } from '../../visit.ts'
import { perform } from '../perform.ts'
import {
  answerConsole,
  type ConsoleVisit,
  consoleAction,
  consoleNotice,
  consolePage,
} from '../visit.ts'
import { renderKeys } from './keys-page.ts'
import { consoleServiceWords } from './words.ts'

export const showKeys = consolePage(async (visit, parts) => {
  const stored = await parts.store.listKeys()
  const keys = stored.map((key) => {
    const { id, use, algorithm, createdAt, usableFrom } = key
    return { id, use, algorithm, createdAt, usableFrom, state: keyStateOf(key, stored, visit.at) }
  })
  const { done } = consoleServiceWords(visit.view.language).keys
  const html = renderKeys(visit.given, keys, consoleNotice(visit, done))
  return showPage(visit, html, { hasScript: true })
})

const withdraw = async (visit: ConsoleVisit, id: string, parts: ServiceParts): Promise<Answer> => {
  const stored = await parts.store.listKeys()
  const trace = () => traceOf(visit, parts)
  const { is } = await withdrawSigningKey(id, stored, visit.at, trace, parts)
  if (is === 'withdrawn') return answerConsole(visit, '/admin/keys', 'withdrawn')
  throw new Refusal('not_found', 'unknown_key', 'there is no such signing key')
}

const change = async (
  visit: ConsoleVisit,
  form: Parameters,
  parts: ServiceParts,
): Promise<Answer> => {
  const action = form.find('action')
  if (action === 'withdraw') return withdraw(visit, form.find('key') ?? '', parts)
  if (action !== 'sealing' && action !== 'signing' && action !== 'end') {
    throw new Refusal('invalid_request', 'unknown_action', 'this form has no such action')
  }
  const isEnd = action === 'end'
  const use = action === 'signing' ? 'signing' : 'sealing'
  const given = { use, now: true, end_tokens: isEnd }
  await perform(visit, { operation: rotateKeys, given }, parts)
  return answerConsole(visit, '/admin/keys', isEnd ? 'ended' : 'rotated')
}

export const changeConsoleKeys = consoleAction(change)
