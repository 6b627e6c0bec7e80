/** The words of `latchkey key ...`. */
import type { KeyUse } from '../../model/key.ts'
import { type CommandOutput, type JsonRow, paragraphs, renderTime, shown } from './said.ts'

export const keyHead = ['key', 'use', 'algorithm', 'created', 'usable from', 'state']

export const keyCells = (key: JsonRow): readonly string[] => [
  shown(key.id),
  shown(key.use),
  shown(key.algorithm),
  renderTime(Number(key.created_at)),
  renderTime(Number(key.usable_from)),
  shown(key.state),
]

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

export interface KeyRotationAnswer {
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

export interface WithdrawalAnswer {
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
