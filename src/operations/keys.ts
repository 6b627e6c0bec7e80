/** The keys of the service: never anything secret of them. */
import { type KeyUse, signingAlgorithms } from '../model/key.ts'
import { parseMembers } from '../protocol/members.ts'
import { Refusal } from '../protocol/refusal.ts'
import { makeSchema, type Z } from '../protocol/schema.ts'
import {
  describeKey,
  describeRotated,
  listUses,
  rotateStoredKeys,
  withdrawSigningKey,
} from '../tokens/keys/operate.ts'
import { allow, describePage, pageInMemory } from './lists.ts'
import { defineRow, makeForm, pageOf } from './operation.ts'
import { unknown } from './operator.ts'
import type { CommandFlag } from './surface/cli.ts'
import { type CommandOutput, type JsonRow, joinTexts, renderTime, show } from './surface/said.ts'

export const keyHead = ['key', 'use', 'algorithm', 'created', 'usable from', 'state']

export const formatKeyCells = (key: JsonRow): readonly string[] => [
  show(key.id),
  show(key.use),
  show(key.algorithm),
  renderTime(Number(key.created_at)),
  renderTime(Number(key.usable_from)),
  show(key.state),
]

/** What `key rotate --end-tokens` ends, by the use of the key. */
const ended: Readonly<Record<KeyUse, string>> = {
  sealing:
    'has taken the place of all other sealing keys. Within ten seconds every token, code and open login page from before has ended on every node. Approvals of owners stay, and so do their login sessions.',
  signing:
    'has taken the place of all other signing keys of its algorithm. Others refuse older signatures as soon as they read the keys again.',
}

type KeyRotationAnswer = ReturnType<typeof describeRotated>

const sayRotatedKey = (
  { id, use, usable_from: from }: KeyRotationAnswer['keys'][number],
  isEnd: boolean,
): string =>
  isEnd
    ? `Key ${id} ${ended[use]}`
    : `Key ${id} ${use === 'sealing' ? 'seals' : 'signs'} from ${renderTime(from)} on, on every node. Tokens under older keys stay valid; --end-tokens would end them.`

export const sayRotated = (answer: KeyRotationAnswer): CommandOutput => ({
  json: answer,
  text: joinTexts(...answer.keys.map((key) => sayRotatedKey(key, answer.tokens_ended))),
})

interface WithdrawalAnswer {
  readonly withdrawn: string
  readonly successor: string | null
}

export const sayWithdrawn = (answer: WithdrawalAnswer): CommandOutput => ({
  json: answer,
  text: joinTexts(
    `Key ${answer.withdrawn} is withdrawn. Within ten seconds no node signs with it, and /jwks does not name it.`,
    answer.successor === null ? null : `Key ${answer.successor} signs in its place.`,
    'Others refuse its signatures as soon as they read /jwks again, at the latest after five minutes.',
  ),
})

const listMembers = (z: Z) => ({
  id: z.string(),
  use: z.enum(['sealing', 'signing']),
  algorithm: z.enum(['HS256', ...signingAlgorithms]),
  usable_from: z.int().describe('unix seconds'),
})

const defineKey = (z: Z) =>
  z.strictObject({
    ...listMembers(z),
    created_at: z.int(),
    state: z
      .enum(['next', 'sealing', 'signing', 'old'])
      .describe('next: not used yet; old: checks what it has sealed or signed'),
  })

const useFlag: CommandFlag = ['--use <use>', 'sealing, signing or both (default: both)']

/** A kind has few keys, so no step of the store pages them. */
export const listKeys = defineRow({
  route: 'GET /admin/api/keys',
  says: 'List the keys, without anything secret of them',
  commands: {
    usage: 'key list',
    does: 'list the keys of the service',
    examples: ['latchkey key list --json'],
    flags: [useFlag],
    list: { head: keyHead, cells: formatKeyCells, empty: keyHead.join('  ') },
  },
  filters: { use: allow(['both', 'sealing', 'signing'], 'the use of the keys') },
  answers: { 200: pageOf('KeyPage', defineKey) },
  async run({ filters: { use = 'both' }, query, limit, exchange: { at } }, { store }) {
    const stored = await store.listKeys()
    const found = stored.filter((key) => listUses(use).includes(key.use))
    const page = pageInMemory(found, query, limit, ({ id }) => id)
    return describePage(page, (key) => describeKey(key, stored, at))
  },
})

const rotationForm = makeSchema((z) =>
  z.strictObject({
    use: z
      .enum(['sealing', 'signing', 'both'])
      .optional()
      .describe('sealing, signing or both (the default)'),
    now: z.boolean().optional().describe('within ten seconds, instead of an hour'),
    end_tokens: z.boolean().optional().describe('end all tokens from before, as after a theft'),
  }),
)

/** A token of the caller ends as well, where all of them do. The answer is sent before. */
export const rotateKeys = defineRow({
  route: 'POST /admin/api/keys',
  says: 'Use new keys, an hour from now or at once',
  commands: {
    usage: 'key rotate',
    does: 'use new keys, an hour from now',
    examples: ['latchkey key rotate', 'latchkey key rotate --use sealing --end-tokens'],
    flags: [
      ['--now', 'within ten seconds instead'],
      ['--end-tokens', 'and end every token from before, as after a theft'],
      useFlag,
    ],
    body: ({ use = 'both', now = false, endTokens = false }) => ({
      use,
      now,
      end_tokens: endTokens,
    }),
    text: ({ json }) => sayRotated(json as unknown as KeyRotationAnswer).text,
  },
  body: {
    form: makeForm('KeyRotation', rotationForm),
    example: { use: 'signing', now: true },
    optional: true,
  },
  answers: {
    201: makeForm('RotatedKeys', (z) =>
      z.strictObject({ keys: z.array(z.strictObject(listMembers(z))), tokens_ended: z.boolean() }),
    ),
  },
  async run({ given, exchange: { at }, trace }, parts) {
    const asked = parseMembers(rotationForm(), given, () => 'invalid_request')
    const { use = 'both', now = false, end_tokens: isEnd = false } = asked
    const rotation = { uses: listUses(use), isNow: now, isEnd, makesFirst: use !== 'both' }
    return describeRotated(await rotateStoredKeys(rotation, at, trace, parts), isEnd)
  },
})

export const withdrawKey = defineRow({
  route: 'DELETE /admin/api/keys/:id',
  says: 'Take a signing key away at once',
  commands: {
    usage: 'key withdraw <key>',
    does: 'take a signing key away at once, as after a theft',
    examples: ['latchkey key withdraw 01k3abcdefghjkmnpqrstvwxyz'],
    text: ({ json }) => sayWithdrawn(json as unknown as WithdrawalAnswer).text,
  },
  answers: {
    200: makeForm('WithdrawnKey', (z) =>
      z.strictObject({
        withdrawn: z.string(),
        successor: z.string().nullable().describe('the key that signs in its place'),
      }),
    ),
  },
  async run({ exchange: { params, at }, trace }, parts) {
    const { id = '' } = params
    const stored = await parts.store.listKeys()
    const withdrawal = await withdrawSigningKey(id, stored, at, trace, parts)
    if (withdrawal.is === 'unknown') throw unknown('key')
    if (withdrawal.is === 'withdrawn') return { withdrawn: id, successor: withdrawal.successor }
    throw new Refusal(
      'conflict',
      'sealing_key',
      'only signing keys can be withdrawn: rotate with use=sealing and end_tokens=true instead',
    )
  },
})

export const keyOperations = { listKeys, rotateKeys, withdrawKey }
