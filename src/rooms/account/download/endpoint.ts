/**
 * `/account/download`: everything that is stored about an owner, as one JSON document. It is read and
 * sent page by page, so an account of any size takes the memory of one page.
 */
import { answerJsonFile } from '../../../http/answer.ts'
import { holderOfOwner } from '../../../model/item.ts'
import type { Owner } from '../../../model/owner.ts'
import { loggedDays } from '../../../model/use.ts'
import { downloadCounter } from '../../../owners/counters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { ListedAuthorization, Page, Store } from '../../../store/store.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import { accountLimits } from '../limits.ts'
import * as stored from '../stored.ts'
import { renderDownload } from './page.ts'

const { downloadRows, downloadItems } = accountLimits

/** `GET /account/download` */
export const showDownload = forOwner((visit, parts) =>
  isConfirmed(visit)
    ? showPage(visit, renderDownload({ ...visit, owner: visit.login.owner }))
    : answerUnconfirmed(visit, parts),
)

/** Reads a page of rows, in the time that each page has for itself. */
type ReadPage<Row> = (store: Store, after: string | null) => Promise<Page<Row>>

/** A download under way. */
interface Download {
  readonly visit: OwnerVisit
  readonly owner: Owner
  readonly parts: ServiceParts
}

/**
 * The store for the next page, while the login lives. It may have been ended because somebody else
 * has it.
 */
const storeOf = async ({ visit, parts }: Download): Promise<Store> => {
  const { store, clock } = parts
  const now = Math.floor(clock() / 1000)
  if ((await store.findSession(visit.login.session.id, now)) !== null) return store
  throw new Refusal('access_denied', 'login_ended', 'the login ended during the download')
}

async function* pagesOf<Row>(
  download: Download,
  read: ReadPage<Row>,
): AsyncGenerator<readonly Row[]> {
  for (let after: string | null = null; ; ) {
    const page: Page<Row> = await read(await storeOf(download), after)
    yield page.rows
    if (page.next === null) return
    after = page.next
  }
}

/** A member of the document: a list, in pieces. */
async function* listOf<Row>(
  name: string,
  pages: AsyncIterable<readonly Row[]>,
  describe: (row: Row) => object,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`
  let separator = '\n'
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield separator + rows.map((row) => JSON.stringify(describe(row))).join(',\n')
    separator = ',\n'
  }
  yield ']'
}

type StoredAccess = ListedAuthorization & { readonly isEnded: boolean }

/** Live accesses, then those that ended lately. */
async function* accessPages(download: Download): AsyncGenerator<readonly StoredAccess[]> {
  const { owner, visit } = download
  for (const isEnded of [false, true]) {
    const of = { ownerId: owner.id, ...(isEnded ? { ended: true as const } : {}) }
    const pages = pagesOf(download, (store, after) =>
      store.listAuthorizations(of, after, downloadRows, visit.at),
    )
    for await (const rows of pages) yield rows.map((row) => ({ ...row, isEnded }))
  }
}

/** The rows of every access, each kind in a list of its own: none of them is held until the next. */
async function* ofEachAccess<Row>(
  download: Download,
  rowsOf: (access: StoredAccess) => AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for await (const accesses of accessPages(download)) {
    for (const access of accesses) yield* rowsOf(access)
  }
}

const accessLists = (download: Download): readonly AsyncIterable<string>[] => {
  const { visit, owner, parts } = download
  const { at } = visit
  const days = loggedDays(parts.settings.accessLogSeconds, at)
  const ofAccess = ({ id }: StoredAccess) => ({ authorizationId: id, ownerId: owner.id })
  const daysOf = (access: StoredAccess) =>
    pagesOf(download, async (store) => {
      const rows = await store.countUses(ofAccess(access), days, at)
      return {
        rows: rows.map((day) => ({ authorization_id: access.id, ...stored.describeDay(day) })),
        next: null,
      }
    })
  const usesOf = (access: StoredAccess) =>
    pagesOf(download, async (store, before) => {
      const page = await store.listUses(ofAccess(access), days, before, downloadRows, at)
      return {
        ...page,
        rows: page.rows.map((use) => ({ authorization_id: access.id, ...stored.describeUse(use) })),
      }
    })
  const same = (row: object): object => row
  return [
    listOf('applications', accessPages(download), (access) =>
      stored.describeAccess(access, access.isEnded ? at : null),
    ),
    listOf('access_days', ofEachAccess(download, daysOf), same),
    listOf('access_log', ofEachAccess(download, usesOf), same),
  ]
}

/** The items of every resource, also of one that is gone. */
async function* itemPages(download: Download): AsyncGenerator<readonly object[]> {
  const holder = holderOfOwner(download.owner.id)
  const counted = await (await storeOf(download)).countItems(holder)
  for (const resource of counted.keys()) {
    const pages = pagesOf(download, (store, after) =>
      store.listItems(holder, resource, after, downloadItems),
    )
    for await (const items of pages) {
      yield items.map((item) => stored.describeItem(resource, item))
    }
  }
}

/** The last member says that nothing is missing. */
async function* render(download: Download): AsyncGenerator<string> {
  const { visit, owner, parts } = download
  const store = await storeOf(download)
  const head = {
    format: 'latchkey-account-1',
    issuer: parts.settings.issuer,
    taken_at: stored.iso(visit.at),
    account: stored.describeOwner(owner),
    ways_to_log_in: stored.describeWaysIn(
      await store.findFactors(owner.id),
      await store.listUpstreamLinks(owner.id),
    ),
  }
  yield JSON.stringify(head, null, 1).slice(0, -2)
  const sessions = pagesOf(download, (now, before) =>
    now.listSessions(owner.id, before as never, downloadRows, visit.at),
  )
  yield* listOf('sessions', sessions, stored.describeSession)
  for (const list of accessLists(download)) yield* list
  yield* listOf('items', itemPages(download), (item) => item)
  const events = pagesOf(download, (now, before) =>
    now.listEvents({ ownerId: owner.id, ownChanges: true }, before, downloadRows),
  )
  yield* listOf('events', events, stored.describeEvent)
  yield ',\n"complete":true}\n'
}

/** `POST /account/download`: the owner reads of it among the events, whoever took it. */
export const download = forOwner(async (visit, parts) => {
  await readOwnForm(visit, parts)
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, parts)
  const { owner } = visit.login
  const trace = traceOf(visit, parts)
  const admitted = await parts.store.admitAttempt([downloadCounter(owner.id)], trace)
  if (admitted.outcome === 'wait') {
    throw new Refusal('too_many_requests', 'too_many_downloads', 'too many downloads: wait', {
      headers: { 'Retry-After': String(admitted.seconds) },
    })
  }
  await parts.uses.catchUp()
  await parts.store.appendEvent({
    id: trace.eventId,
    at: trace.at,
    type: 'owner.data_downloaded',
    clientId: null,
    ownerId: owner.id,
    authorizationId: null,
    requestId: trace.requestId,
    actor: trace.actor,
    details: {},
  })
  return answerJsonFile(render({ visit, owner, parts }), 'account.json')
})
