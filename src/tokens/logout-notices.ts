/**
 * Sends the queued notices of ended logins to clients (OpenID Connect Back-Channel Logout 1.0 section
 * 2.5). A request never waits for it.
 */

import { findClient } from '../clients/find.ts'
import type { Settings } from '../config/settings.ts'
import type { Fetched, Outbound } from '../http/outbound.ts'
import type { Client } from '../model/client.ts'
import { type ClientId, type Given, makeId, type OwnerId } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import { getSub, type Subjects } from '../owners/pairwise-secret.ts'
import { getProfile, pickAlgorithm } from '../protocol/profile.ts'
import type { LogoutNotice } from '../store/contract/queue.ts'
import type { Store } from '../store/store.ts'
import { makeServiceTrace } from '../store/trace.ts'
import type { Signer } from './keys/signing.ts'

export const logoutLimits = {
  /** Notices that a node sends at once, of all clients, of one, and to those of one owner. */
  atOnce: 16,
  atOncePerClient: 4,
  atOncePerOwner: 4,
  /** So few are claimed together that one owner hardly gets more. */
  claimedTogether: 4,
  /** A node that claimed a notice and stopped: others send it after so long. */
  claimSeconds: 60,
  /** After a failed try comes a pause: first so long, then each time three times as long. */
  firstPauseSeconds: 10,
  longestPauseSeconds: 3600,
  /** A logout that a client does not hear of is told again for so long. */
  noticeSeconds: 24 * 3600,
  /** A logout token is for the request that carries it. */
  tokenSeconds: 120,
  /** Of the answer only the status counts. */
  answerBytes: 16 * 1024,
} as const

/** Notices to clients that logins have ended. */
export interface LogoutNotices {
  /** Sends what is queued, soon. */
  wake(): void
}

interface NoticeParts extends Given {
  readonly settings: Settings
  readonly store: Store
  readonly signer: Signer
  readonly subjects: Subjects
  readonly tell: Tell
  readonly sent: Readonly<Record<Client['registeredBy'], Outbound>>
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * A logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4): a login at one client has ended.
 * Its `typ` keeps it from being an ID token, and no ID token has its `events`.
 */
const issueLogoutToken = async (
  ended: { readonly client: Client; readonly notice: LogoutNotice; readonly at: number },
  parts: NoticeParts,
): Promise<string> => {
  const { client, notice, at } = ended
  const claims = {
    iss: parts.settings.issuer,
    sub: await getSub(client, notice.ownerId, parts),
    aud: client.id,
    iat: at,
    exp: at + logoutLimits.tokenSeconds,
    jti: makeId<string>(parts),
    sid: notice.sid,
    events: { [logoutEvent]: {} },
  }
  return parts.signer.sign(
    claims,
    pickAlgorithm(client.openid.id_token_signed_response_alg, getProfile(client, parts.settings)),
    'logout+jwt',
  )
}

const pauseAfter = (tries: number): number =>
  Math.min(logoutLimits.longestPauseSeconds, logoutLimits.firstPauseSeconds * 3 ** (tries - 1))

/** Null for success; else the reason, and whether a further try makes sense (section 2.8). */
const findFault = (
  answer: Fetched,
): { readonly reason: string; readonly isFinal: boolean } | null => {
  if (answer.outcome === 'failed') return { reason: answer.reason, isFinal: false }
  const { status } = answer
  if (status === 200 || status === 204) return null
  return { reason: `status_${status}`, isFinal: status === 400 }
}

const getNow = ({ clock }: Given): number => Math.floor(clock() / 1000)

const post = async (url: string, logoutToken: string, outbound: Outbound): Promise<Fetched> =>
  outbound.fetch({
    url,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: logoutToken }).toString(),
    mostBytes: logoutLimits.answerBytes,
  })

const send = async (notice: LogoutNotice, parts: NoticeParts): Promise<void> => {
  const { store } = parts
  const fail = (reason: string) =>
    store.finishLogoutNotice(
      notice,
      { is: 'failed', reason },
      makeServiceTrace(getNow(parts), parts),
    )
  const client = await findClient(notice.clientId, parts, 'disabled')
  const url = client?.openid.backchannel_logout_uri
  if (client === null || url === undefined) {
    await fail('no_address')
    return
  }
  const token = await issueLogoutToken({ client, notice, at: getNow(parts) }, parts)
  const fault = findFault(await post(url, token, parts.sent[client.registeredBy]))
  if (fault === null) {
    await store.finishLogoutNotice(
      notice,
      { is: 'delivered' },
      makeServiceTrace(getNow(parts), parts),
    )
    return
  }
  const dueAt = getNow(parts) + pauseAfter(notice.tries)
  const isLast = fault.isFinal || dueAt >= notice.endedAt + logoutLimits.noticeSeconds
  await (isLast ? fail(fault.reason) : store.postponeLogoutNotice(notice, dueAt))
}

/** What is listed so many times, or more often. */
export const filterFrequent = <Id>(ids: readonly Id[], most: number): readonly Id[] =>
  [...Map.groupBy(ids, (id) => id)].filter(([, all]) => all.length >= most).map(([id]) => id)

const createUnderWay = () => {
  const sending = new Map<Promise<void>, LogoutNotice>()
  const all = (): readonly LogoutNotice[] => [...sending.values()]
  return {
    room: (): number => logoutLimits.atOnce - sending.size,
    busy: (): readonly ClientId[] =>
      filterFrequent(
        all().map(({ clientId }) => clientId),
        logoutLimits.atOncePerClient,
      ),
    busyOwners: (): readonly OwnerId[] =>
      filterFrequent(
        all().map(({ ownerId }) => ownerId),
        logoutLimits.atOncePerOwner,
      ),
    /** @param wake is called once its place is free */
    add(notice: LogoutNotice, sent: Promise<void>, wake: () => void): void {
      const ended = sent.then(() => {
        sending.delete(ended)
        wake()
      })
      sending.set(ended, notice)
    },
    all: (): readonly Promise<void>[] => [...sending.keys()],
  }
}

export const createLogoutNotices = (
  parts: NoticeParts,
): LogoutNotices & { deliver(): Promise<void>; close(): Promise<void> } => {
  const underWay = createUnderWay()
  let isClosed = false
  let isWanted = false
  let claiming: Promise<void> | null = null

  const noteFault = (fault: unknown): void =>
    parts.tell({ level: 'error', message: 'a logout notice was not sent', fault: String(fault) })

  const claim = async (): Promise<boolean> => {
    const most = Math.min(underWay.room(), logoutLimits.claimedTogether)
    if (isClosed || most <= 0) return false
    const at = getNow(parts)
    const [busy, busyOwners] = [underWay.busy(), underWay.busyOwners()]
    const claimed = { busy, busyOwners, most, until: at + logoutLimits.claimSeconds }
    const notices = await parts.store.claimLogoutNotices(claimed, at)
    for (const notice of notices) {
      underWay.add(notice, send(notice, parts).catch(noteFault), wake)
    }
    return notices.length > 0
  }

  const claimAll = async (): Promise<void> => {
    while (isWanted) {
      // Whoever wakes it meanwhile wants another look.
      isWanted = false
      if (await claim()) isWanted = true
    }
  }

  const wake = (): void => {
    isWanted = true
    claiming ??= claimAll()
      .catch(noteFault)
      .finally(() => {
        claiming = null
      })
  }

  const settle = async (): Promise<void> => {
    for (;;) {
      const waiting = [...underWay.all(), ...(claiming === null ? [] : [claiming])]
      if (waiting.length === 0) return
      await Promise.all(waiting)
    }
  }

  return {
    wake,
    async deliver() {
      wake()
      await settle()
    },
    async close() {
      isClosed = true
      await settle()
    },
  }
}
