/** The log of an application: what it used, line by line, under the days. */
import { findClient } from '../../../clients/find.ts'
import { holderOfOwner, type ItemId, type OwnerId } from '../../../model/ids.ts'
import type { Item } from '../../../model/item.ts'
import { type Language, pickText } from '../../../model/language.ts'
import { listWords } from '../../../model/scope-word.ts'
import type { Use } from '../../../model/use.ts'
import { sayName } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { countDaysAway, formatList, sayClock, sayDay } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import type { AccountNeeds } from '../needs.ts'
import { listKnown, writeThing } from '../sentence.ts'
import { useWords } from './words.ts'

export interface LedgerLine extends Use {
  /** What was used, in a sentence; of a check, the name of the asking API. */
  readonly title: string
  /** The name of the item that was used, or a name by another API; null without one. */
  readonly item?: string | null
}

/** Members that are the name of an item, by custom. */
const nameMembers = ['title', 'name', 'subject'] as const

const findName = (item: Item | null): string | null => {
  const names = nameMembers.map((member) => item?.fields[member])
  return (names.find((name) => typeof name === 'string' && name !== '') as string | null) ?? null
}

/** The names of the items that lines are about, as they are called now. */
const findItemNames = async (
  uses: readonly Use[],
  ownerId: OwnerId,
  { store }: Pick<AccountNeeds, 'store'>,
): Promise<(use: Use) => string | null> => {
  const keyOf = ({ resource, target }: Use): string => `${resource}/${target ?? ''}`
  const ours = uses.filter(({ target, action }) => target !== undefined && action !== 'check')
  const named = new Map(ours.map((use) => [keyOf(use), use]))
  const found = await Promise.all(
    [...named].map(async ([key, { resource, target }]) => {
      const item = await store.findItem(holderOfOwner(ownerId), resource, target as ItemId)
      return [key, findName(item)] as const
    }),
  )
  const names = new Map(found)
  // Another API names its own things: no item here has that id.
  return (use) => (use.action === 'check' ? (use.target ?? null) : (names.get(keyOf(use)) ?? null))
}

export const describeUses = async (
  uses: readonly Use[],
  ownerId: OwnerId,
  language: Language,
  needs: Pick<AccountNeeds, 'store' | 'resources'>,
): Promise<readonly LedgerLine[]> => {
  const { resources } = needs
  const apis = uses.filter(({ action }) => action === 'check').map(({ resource }) => resource)
  // A deleted API keeps its id as name.
  const found = [...new Set(apis)].map(async (id) => {
    const client = await findClient(id, needs, 'disabled')
    return [id, client?.name ?? id] as const
  })
  const apiNames = new Map(await Promise.all(found))
  const nameOf = await findItemNames(uses, ownerId, needs)
  const titleOf = ({ action, resource }: Use): string => {
    if (action === 'check') return apiNames.get(resource) ?? resource
    const used = resource.split('+')
    const words = listWords(resources.words).filter((word) => used.includes(word))
    // What `/userinfo` was asked for.
    if (words.length > 0) return formatList(listKnown(words, resources.words, language), language)
    const known = resources.list().find(({ name }) => name === resource)
    return known ? writeThing(pickText(known.title, language), language) : resource
  }
  return uses.map((use) => ({ ...use, title: titleOf(use), item: nameOf(use) }))
}

/** The deed in words; an item without a name is told by its id. */
const sayWhat = (of: LedgerLine, language: Language): Markup => {
  const words = useWords(language)
  const { action, allowed, title, target, item = null } = of
  const resource = html`${title}`
  if (action === 'check') {
    const api = sayName(title)
    return item === null
      ? words.check({ api })
      : words.checkItem({ api, item: html`<b>${sayName(item)}</b>` })
  }
  if (target === undefined)
    return words[allowed ? action : (`${action}Refused` as const)]({ resource })
  const named = item === null ? html`<code>${target}</code>` : html`<b>${sayName(item)}</b>`
  return words[allowed ? (`${action}Item` as const) : (`${action}ItemRefused` as const)]({
    item: named,
    resource,
  })
}

const marks = { read: 'eye', write: 'pencil', check: 'globe' } as const

/** A check was made at another API, which alone knows the network. Of a minute nothing is said. */
const renderLine = (of: LedgerLine, view: View): Markup => {
  const { action, uses, minutes, network, allowed, minute } = of
  const words = useWords(view.language)
  const from: Content =
    action === 'check'
      ? words.fromElsewhere
      : network === ''
        ? words.anyNetwork
        : words.from({ network: html`<code>${network}</code>` })
  const times = uses === 1 ? null : html`${words.times({ count: uses })} · `
  const refused = html`<span class="bad">${words.notAllowed}</span> `
  const span = minutes === 1 ? null : html`${minutes === 60 ? words.oneHour : words.oneDay} · `
  return html`<li class="marked"><span class="tile round${allowed ? '' : ' rose'}" aria-hidden="true">${icons[allowed ? marks[action] : 'stop']}</span><div><p>${allowed ? null : refused}${sayWhat(of, view.language)}</p><p class="says">${times}${span}${from}</p></div>${minutes === 1440 ? null : sayClock(minute * 60, view)}</li>
`
}

/** The latest first, under their days. */
export const renderUseLog = (
  lines: readonly LedgerLine[],
  level: 'h2' | 'h3',
  now: number,
  view: View,
): Markup | null => {
  if (lines.length === 0) return null
  const days = Map.groupBy(lines, ({ minute }) => countDaysAway(minute * 60, now, view))
  return html`${[...days.values()].map((ofDay) => {
    const day = sayDay((ofDay[0]?.minute ?? 0) * 60, now, view)
    const heading = level === 'h2' ? html`<h2>${day}</h2>` : html`<h3>${day}</h3>`
    return html`${heading}
<ul class="log">
${ofDay.map((line) => renderLine(line, view))}</ul>
`
  })}`
}
