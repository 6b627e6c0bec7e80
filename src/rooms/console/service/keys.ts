/** `/admin/keys`: the keys of the service without anything secret of them, new ones, and the end of a signing key. */
import { listKeys, rotateKeys, withdrawKey } from '../../../operations/keys.ts'
import { hide } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { sayMoment, sayWhen } from '../../../paper/time.ts'
import type { RouteRow } from '../../../route.ts'
import { type DescribedKey, describeKey } from '../../../tokens/keys/operate.ts'
import { type ActionRows, offer, openActions, renderAction, renderButtonsOf } from '../actions.ts'
import type { ConsolePageGiven } from '../frame.ts'
import { type ListPage, type ListRow, openList } from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleServiceWords } from './words.ts'

type KeyWords = ReturnType<typeof consoleServiceWords>['keys']

const path = '/admin/keys'

const keyActions = {
  sealing: offer(
    rotateKeys,
    'rotateSealing',
    'rotated',
    { use: 'sealing', now: true, end_tokens: false },
    'now',
  ),
  signing: offer(
    rotateKeys,
    'rotateSigning',
    'rotated',
    { use: 'signing', now: true, end_tokens: false },
    'now',
  ),
  end: offer(rotateKeys, 'end', 'ended', { use: 'sealing', now: true, end_tokens: true }, 'now'),
} satisfies ActionRows<KeyWords, null>

const renderActions = (given: ConsolePageGiven, keys: readonly DescribedKey[]): Markup => {
  const words = consoleServiceWords(given.view.language).keys
  const button = renderButtonsOf(keyActions, given, path, words)
  const withdraw = ({ id: key }: DescribedKey): Markup => {
    const texts = [words.withdrawKey({ key }), words.withdrawEffect, words.now] as const
    return renderAction(given, path, 'withdraw', texts, hide('key', key))
  }
  const signing = keys.filter(({ use }) => use === 'signing')
  return html`<section class="card"><h2>${words.rotate}</h2><div class="stack">
${button('sealing')}
${button('signing')}
${button('end')}</div></section>
${
  signing.length === 0
    ? null
    : html`<section class="card"><h2>${words.withdraw}</h2><div class="stack">
${signing.map(withdraw)}</div></section>`
}`
}

export const keyList: ListRow<DescribedKey, ListPage<DescribedKey>, KeyWords> = {
  operation: listKeys,
  words: (language) => consoleServiceWords(language).keys,
  says(given, { items }, words) {
    const { view, role } = given
    const state = ({ state, usable_from: from }: DescribedKey): Content => {
      if (state === 'next') return words.next({ when: sayMoment(from, view) })
      return state === 'old' ? words.old : html`<span class="status">${words.current}</span>`
    }
    return {
      columns: [
        [words.key, ({ id }) => html`<code>${id}</code>`],
        [words.use, ({ use }) => words[use]],
        [words.algorithm, ({ algorithm }) => html`<code>${algorithm}</code>`, 'aside'],
        [words.created, ({ created_at: at }) => sayWhen(at, view.at, view), 'aside quiet'],
        [words.state, state],
      ],
      paging: html`<p class="quiet small">${words.published}</p>`,
      below: role === 'operator' ? renderActions(given, items) : null,
    }
  },
}

export const openKeys = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => [
  openList(keyList, entry, async ({ at }) => {
    const stored = await needs.store.listKeys()
    return { items: stored.map((key) => describeKey(key, stored, at)), next: null }
  }),
  openActions(
    {
      of: listKeys,
      actions: {
        ...keyActions,
        withdraw: async (_, form, visit) => {
          await entry.perform(visit, { operation: withdrawKey, id: form.find('key') ?? '' })
          return 'withdrawn'
        },
      },
      offers: [withdrawKey],
    },
    entry,
  ),
]
