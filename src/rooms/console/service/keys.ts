/** `/admin/keys`: the keys of the service without anything secret of them, new ones, and the end of a signing key. */
import { listKeys, rotateKeys, withdrawKey } from '../../../operations/keys.ts'
import { hide } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import { sayWhen } from '../../../paper/time.ts'
import type { RouteRow } from '../../../route.ts'
import { type DescribedKey, describeKey } from '../../../tokens/keys/operate.ts'
import {
  type ActionRows,
  markCalm,
  offer,
  openActions,
  renderAction,
  renderButtonsOf,
} from '../actions.ts'
import type { ConsolePageGiven } from '../frame.ts'
import { type ListPage, type ListRow, openList } from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleServiceWords } from './words.ts'

type KeyWords = ReturnType<typeof consoleServiceWords>['keys']

const path = '/admin/keys'

const keyActions = {
  sealing: markCalm(
    offer(
      rotateKeys,
      'rotateSealing',
      'rotated',
      { use: 'sealing', now: true, end_tokens: false },
      'now',
    ),
  ),
  signing: markCalm(
    offer(
      rotateKeys,
      'rotateSigning',
      'rotated',
      { use: 'signing', now: true, end_tokens: false },
      'now',
    ),
  ),
  end: offer(rotateKeys, 'end', 'ended', { use: 'sealing', now: true, end_tokens: true }, 'now'),
} satisfies ActionRows<KeyWords, null>

const renderActions = (given: ConsolePageGiven): Markup => {
  const words = consoleServiceWords(given.view.language).keys
  const button = renderButtonsOf(keyActions, given, path, words)
  return html`<section class="card"><h2>${words.rotate}</h2><div class="stack">
${button('sealing')}
${button('signing')}
${button('end')}</div></section>`
}

export const keyList: ListRow<DescribedKey, ListPage<DescribedKey>, KeyWords> = {
  operation: listKeys,
  words: (language) => consoleServiceWords(language).keys,
  says(given, _page, words) {
    const { view, role } = given
    const sayState = ({ state, usable_from: from }: DescribedKey): Content => {
      if (state === 'next') return words.next({ when: sayWhen(from, view.at, view) })
      return renderStatus(state === 'old' ? words.old : words.current, state !== 'old')
    }
    const withdraw = (key: string): Markup => {
      const button = html`${words.withdraw}<span class="unseen"> ${key}</span>`
      const texts = [button, words.withdrawEffect, words.now] as const
      return renderAction(given, path, 'withdraw', texts, hide('key', key), 'in list')
    }
    return {
      row: (one) => ({
        mark: icons[one.use === 'signing' ? 'pencil' : 'lock'],
        title: html`<code>${one.id}</code>`,
        says: html`${words[one.use]} · <code>${one.algorithm}</code> · ${sayWhen(one.created_at, view.at, view)}`,
        end: html`${sayState(one)}${role === 'operator' && one.use === 'signing' ? withdraw(one.id) : null}`,
      }),
      paging: html`<p class="quiet small">${words.published}</p>`,
      below: role === 'operator' ? renderActions(given) : null,
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
