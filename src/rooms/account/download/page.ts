/**
 * `/account/download`: everything that is stored about an owner, as one JSON document. The document is read and
 * sent page by page, so an account of any size takes the memory of one page.
 */

import { type Answer, answerJsonFile } from '../../../http/answer.ts'
import { holderOfOwner } from '../../../model/ids.ts'
import { countLoggedDays } from '../../../model/use.ts'
import { makeDownloadCounter } from '../../../owners/counters.ts'
import { defineWords } from '../../../paper/catalog.ts'
import { renderForm, renderSubmit } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { formatIso } from '../../../paper/time.ts'
import { Refusal, refuseForNow } from '../../../protocol/refusal.ts'
import type { UsesOf } from '../../../store/contract/event.ts'
import type { Page } from '../../../store/contract/trace.ts'
import type { Store } from '../../../store/store.ts'
import { makeOwnerEvent, traceOf } from '../../../store/trace.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds, OpenPage } from '../needs.ts'
import * as stored from '../stored.ts'

const downloadWords = defineWords('download', {
  heading: 'Download my data',
  about: 'One file holds everything that is stored about you. Programs can read it (JSON).',
  holds: 'It holds:',
  parts: {
    account: 'your account, profile and groups',
    ways: 'your passkeys and linked logins',
    sessions: 'the browsers in which you are logged in',
    applications: 'the access of your applications, and what they did',
    items: 'the things that you keep here',
    events: 'what happened to your account',
  },
  without: 'Passwords, codes and other secrets are not in it.',
  careful: 'Keep the file where nobody else can read it.',
  download: 'Download',
})

const { downloadRows, downloadItems } = accountLimits

export const renderDownload = (page: AccountPageGiven): string => {
  const words = downloadWords(page.view.language)
  const content = html`<p>${words.about} ${words.holds}</p>
<ul>
${Object.values(words.parts).map((part) => html`<li>${part}</li>`)}
</ul>
<p>${words.without} ${words.careful}</p>
${renderSubmit(words.download)}`
  return renderAccountPage(page, {
    part: 'profile',
    heading: words.heading,
    main: renderForm(page, '/account/download', content, 'card'),
  })
}

/** Reads the data of an owner. Each page has its own time. */
const openReader = ({ login, at }: OwnerVisit, { store, clock }: AccountNeeds) => {
  const ownerId = login.owner.id

  /** For the next page, while the login lives: it may have been ended because somebody else has it. */
  const storeNow = async (): Promise<Store> => {
    const session = await store.findSession(login.session.id, Math.floor(clock() / 1000))
    if (session !== null) return store
    throw new Refusal('access_denied', 'login_ended', 'the login ended during the download')
  }

  async function* pagesOf<Row, Told>(
    read: (store: Store, after: string | null) => Promise<Page<Row>>,
    tell: (row: Row) => Told,
  ): AsyncGenerator<readonly Told[]> {
    for (let after: string | null = null; ; ) {
      const page: Page<Row> = await read(await storeNow(), after)
      yield page.rows.map(tell)
      if (page.next === null) return
      after = page.next
    }
  }

  /** Live accesses, then those that ended lately. */
  async function* accessPages() {
    for (const isEnded of [false, true]) {
      const of = { ownerId, ...(isEnded ? { ended: true as const } : {}) }
      yield* pagesOf(
        (now, after) => now.listAuthorizations(of, after, downloadRows, at),
        (access) => stored.describeAccess(access, isEnded ? at : null),
      )
    }
  }

  /** The rows of every access, each kind in a list of its own: none of them is held until the next. */
  async function* ofEachAccess<Row>(
    read: (store: Store, of: UsesOf, after: string | null) => Promise<Page<Row>>,
    tell: (row: Row) => object,
  ) {
    for await (const accesses of accessPages()) {
      for (const { id } of accesses) {
        yield* pagesOf(
          (now, after) => read(now, { authorizationId: id, ownerId }, after),
          (row) => ({ authorization_id: id, ...tell(row) }),
        )
      }
    }
  }

  /** The items of every resource, also of one that is gone. */
  async function* itemPages() {
    const holder = holderOfOwner(ownerId)
    for (const resource of (await (await storeNow()).countItems(holder)).keys()) {
      yield* pagesOf(
        (now, after) => now.listItems(holder, resource, after, downloadItems),
        ({ id, version, fields }) => ({ resource, id, version, fields }),
      )
    }
  }

  return { storeNow, pagesOf, accessPages, ofEachAccess, itemPages }
}

/** A member of the document: a list, in pieces. */
async function* renderList(
  name: string,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`
  let separator = '\n'
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield ']'
}

/** The last member says that nothing is missing. */
async function* render(visit: OwnerVisit, needs: AccountNeeds): AsyncGenerator<string> {
  const { at, login } = visit
  const { owner } = login
  const { issuer, accessLogSeconds } = needs.settings
  const { storeNow, pagesOf, accessPages, ofEachAccess, itemPages } = openReader(visit, needs)
  const days = countLoggedDays(accessLogSeconds, at)
  const own = { ownerId: owner.id, ownChanges: true } as const
  const store = await storeNow()
  const { pictureName } = owner
  const picture = pictureName === '' ? null : await store.findOwnerPicture(pictureName)
  const head = {
    format: 'latchkey-account-1',
    issuer,
    taken_at: formatIso(at),
    account: stored.describeOwner(owner, picture),
    ways_to_log_in: stored.describeWaysIn(
      await store.findFactors(owner.id),
      await store.listUpstreamLinks(owner.id),
    ),
    groups: stored.describeGroups(await store.listGroupsOf(owner.id)),
  }
  yield JSON.stringify(head, null, 1).slice(0, -2)
  const lists: Readonly<Record<string, AsyncIterable<readonly object[]>>> = {
    sessions: pagesOf(
      (now, before) => now.listSessions(owner.id, before as never, downloadRows, at),
      stored.describeSession,
    ),
    applications: accessPages(),
    access_days: ofEachAccess(
      async (now, of) => ({ rows: await now.countUses(of, days, at), next: null }),
      stored.describeDay,
    ),
    access_log: ofEachAccess(
      (now, of, before) => now.listUses(of, days, before, downloadRows, at),
      stored.describeUse,
    ),
    items: itemPages(),
    events: pagesOf(
      (now, before) => now.listEvents(own, before, downloadRows),
      stored.describeEvent,
    ),
  }
  for (const [name, pages] of Object.entries(lists)) yield* renderList(name, pages)
  yield ',\n"complete":true}\n'
}

export const openDownload: OpenPage = (needs, { ownerForm }) => {
  const { store, uses } = needs
  const show = (visit: OwnerVisit): Answer =>
    isConfirmed(visit)
      ? showPage(visit, renderDownload(pickGiven(visit)))
      : answerUnconfirmed(visit, needs)

  /** The owner reads of it among the events, whoever took it. */
  const download: TakeForm = async (visit) => {
    if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs)
    const { owner } = visit.login
    const trace = traceOf(visit, needs)
    const admitted = await store.admitAttempt([makeDownloadCounter(owner.id)], trace)
    if (admitted.outcome === 'wait') {
      throw refuseForNow('too_many_downloads', 'too many downloads: wait', admitted.seconds)
    }
    await uses.catchUp()
    await store.appendEvent(makeOwnerEvent('owner.data_downloaded', owner.id, {}, trace))
    return answerJsonFile(render(visit, needs), 'account.json')
  }

  return ownerForm('/account/download', show, download, { isConfirmed: true })
}
