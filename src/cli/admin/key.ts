/** What `latchkey key ...` says, and its requests to a service on another machine. */
import type { KeyUse } from '../../model/key.ts'
import { ApiFault, type ApiWork, pathTo } from '../api.ts'
import { paragraphs, renderTime } from '../counts.ts'
import { type CommandOutput, type JsonRow, renderRows, shown } from '../said.ts'

export const unknownKey = (id: string): ApiFault =>
  new ApiFault(`there is no key "${id}": latchkey key list names all of them`, null, 'not_found')

export const sealingKey = (): ApiFault =>
  new ApiFault(
    'only signing keys can be withdrawn: latchkey key rotate --use sealing --end-tokens replaces sealing keys',
    null,
    'conflict',
  )

/** Only the machine of the service knows what wraps a key. */
export const sayKeys = (keys: readonly object[]): CommandOutput => {
  const rows = keys as readonly JsonRow[]
  const isLocal = rows.some((key) => key.wrapped_under !== undefined)
  const head = ['key', 'use', 'algorithm', 'created', 'usable from', 'state']
  const cells = rows.map((key) => [
    shown(key.id),
    shown(key.use),
    shown(key.algorithm),
    renderTime(Number(key.created_at)),
    renderTime(Number(key.usable_from)),
    shown(key.state),
    ...(isLocal ? [shown(key.wrapped_under)] : []),
  ])
  return {
    json: keys,
    text: renderRows([[...head, ...(isLocal ? ['wrapped under'] : [])], ...cells]),
  }
}

/** What `key rotate --end-tokens` ends, by the use of the key. */
const ended: Readonly<Record<KeyUse, string>> = {
  sealing:
    'has taken the place of all other sealing keys. Within ten seconds every token, code and open login page from before has ended on every node. Approvals of owners stay, and so do their login sessions.',
  signing:
    'has taken the place of all other signing keys of its algorithm. Others refuse older signatures as soon as they read the keys again.',
}

interface RotatedKey {
  readonly id: string
  readonly use: KeyUse
  readonly usable_from: number
}

interface KeyRotationAnswer {
  readonly keys: readonly RotatedKey[]
  readonly tokens_ended: boolean
}

const sayRotatedKey = ({ id, use, usable_from: from }: RotatedKey, isEnd: boolean): string =>
  isEnd
    ? `Key ${id} ${ended[use]}`
    : `Key ${id} ${use === 'sealing' ? 'seals' : 'signs'} from ${renderTime(from)} on, on every node. Tokens under older keys stay valid; --end-tokens would end them.`

export const sayRotated = (answer: KeyRotationAnswer): CommandOutput => ({
  json: answer,
  text: paragraphs(...answer.keys.map((key) => sayRotatedKey(key, answer.tokens_ended))),
})

interface WithdrawalAnswer {
  readonly withdrawn: string
  readonly successor: string | null
}

export const sayWithdrawn = (answer: WithdrawalAnswer): CommandOutput => ({
  json: answer,
  text: paragraphs(
    `Key ${answer.withdrawn} is withdrawn. Within ten seconds no node signs with it, and /jwks does not name it.`,
    answer.successor === null ? null : `Key ${answer.successor} signs in its place.`,
    'Others refuse its signatures as soon as they read /jwks again, at the latest after five minutes.',
  ),
})

export const listRemoteKeys: ApiWork = async (api, { use }) =>
  sayKeys(await api.list('keys', { use: use === undefined ? undefined : String(use) }))

export const rotateRemoteKeys: ApiWork = async (api, { use, now, endTokens }) => {
  const asked = { use: use ?? 'both', now: now === true, end_tokens: endTokens === true }
  const answer: unknown = await api.ask('POST', 'keys', asked)
  return sayRotated(answer as KeyRotationAnswer)
}

export const withdrawRemoteKey: ApiWork = async (api, _flags, [id = '']) => {
  const path = pathTo('keys', id)
  const answer: unknown = await api.ask('DELETE', path).catch((fault: unknown) => {
    if (!(fault instanceof ApiFault)) throw fault
    if (fault.title === 'not_found') throw unknownKey(id)
    throw fault.title === 'conflict' ? sealingKey() : fault
  })
  return sayWithdrawn(answer as WithdrawalAnswer)
}
