/** The ledger of one application, for its owner. It stays for a while after the authorization ends. */
import { findClient } from '../../clients/find.ts'
import { limits } from '../../config/limits.ts'
import type { Language } from '../../model/language.ts'
import type { OwnClaims } from '../../model/own-word.ts'
import { type ScopeWord, shownWords } from '../../model/scope-word.ts'
import { loggedDays, type Use, wholeDays } from '../../model/use.ts'
import { type LedgerLine, renderLedger } from '../../pages/ledger.ts'
import { aboutWords, textsOf } from '../../pages/words/about.ts'
import { eventWords } from '../../pages/words/events.ts'
import type { Store } from '../../store/store.ts'
import { showPage } from '../door/page.ts'
import { forOwner } from '../door/signed-in.ts'
import { cursorOf, findLedger } from './find-ledger.ts'

/** The names of the APIs that asked, by client id. A deleted one keeps its id as name. */
const namesOf = async (
  uses: readonly Use[],
  store: Pick<Store, 'findClient'>,
): Promise<ReadonlyMap<string, string>> => {
  const ids = uses.filter(({ action }) => action === 'check').map(({ resource }) => resource)
  const found = [...new Set(ids)].map(async (id) => {
    const client = await findClient(id, { store }, 'disabled')
    return [id, client?.name ?? id] as const
  })
  return new Map(await Promise.all(found))
}

/** What `/userinfo` was asked for. */
const titleOfWords = (
  words: readonly ScopeWord[],
  language: Language,
  own: readonly OwnClaims[],
): string => {
  const { heading } = aboutWords[language]
  const titles = words.map((word) => textsOf(word, own, language).title)
  return `${heading} (${titles.join(eventWords[language].separator)})`
}

/** `GET /account/ledger?authorization=ID` */
export const showLedger = forOwner(async (visit, parts) => {
  const { authorization, endedAt, before } = await findLedger(visit, parts)
  const { at, view, csrf } = visit
  const of = { authorizationId: authorization.id, ownerId: authorization.ownerId }
  const { store, settings } = parts
  const days = loggedDays(settings.accessLogSeconds, at)
  const list = (lines: number) => store.listUses(of, days, before, lines, at)
  const page = await list(limits.pageRows)
  // If one page holds them all, one file does too.
  const file = page.next === null ? page : await list(limits.ledgerRows)
  const names = await namesOf(page.rows, store)
  const titleOf = ({ action, resource }: Use): string => {
    if (action === 'check') return names.get(resource) ?? resource
    const own = parts.resources.words
    const used = resource.split('+')
    const words = shownWords(own).filter((word) => used.includes(word))
    if (words.length > 0) return titleOfWords(words, view.language, own)
    const known = parts.resources.list().find(({ name }) => name === resource)
    return known?.title[view.language] ?? resource
  }
  const html = renderLedger({
    view,
    csrf,
    owner: visit.login.owner,
    ...authorization,
    endedAt,
    days: wholeDays(settings.accessLogSeconds),
    lines: page.rows.map((use): LedgerLine => ({ ...use, title: titleOf(use) })),
    before: cursorOf(before),
    next: cursorOf(page.next),
    nextFile: cursorOf(file.next),
  })
  return showPage(visit, html)
})
