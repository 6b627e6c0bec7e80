/**
 * The feed of revocations, for APIs that verify JWTs by themselves. While somebody waits, each node looks
 * into the store on every tick, so it learns of the revocations of all nodes.
 */
import { type ClientId, type Given, makeId } from '../model/ids.ts'
import type { FeedHead, Revocation } from '../model/revocation.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Every } from '../store/patience.ts'
import type { Store } from '../store/store.ts'

export const feedLimits = {
  /** A poll waits at most so long for news, and one tick of the store's timer lasts so long. */
  waitSeconds: 25,
  ticksPerSecond: 4,
  /** APIs that wait for revocations at once, on one node: of all clients, and of one. */
  polls: 10_000,
  pollsPerClient: 1000,
  /** Revocations in one answer; a poll may ask for fewer. */
  revocations: 100,
  /** Revocations that get their positions in one step. */
  placedTogether: 500,
  cursorCharacters: 100,
} as const

export interface FeedPage {
  readonly revocations: readonly Revocation[]
  readonly next: string
  readonly hasMore: boolean
  /** Whether the cursor was of another feed: the reader has missed an unknown number of revocations. */
  readonly isReset: boolean
}

/** The feed of revocations, for APIs that verify JWTs by themselves. */
export interface RevocationFeed {
  /** @param after `next` of the page before; null to begin with the oldest that may matter */
  read(after: string | null): Promise<FeedPage>
  /**
   * Resolves when there is more after a page, after so many seconds, or when the service ends.
   *
   * @throws Refusal `temporarily_unavailable` if too many wait, of all or of this client
   */
  wait(after: string, seconds: number, clientId: ClientId): Promise<void>
  close(): void
}

interface Waiting {
  readonly clientId: ClientId
  readonly position: number
  /** That it still waits. */
  ticks: number
  readonly resolve: () => void
}

const formatCursor = ({ epoch, position }: FeedHead): string => `${epoch}.${position}`

/** Where a cursor stands in this feed; null for one of another. */
const parsePosition = ({ epoch, position }: FeedHead, after: string): number | null => {
  const [name, digits = '', more] = after.split('.')
  const found = Number(digits)
  const isOurs = name === epoch && more === undefined && /^\d{1,15}$/.test(digits)
  return isOurs && found <= position ? found : null
}

const tooMany = (): Refusal =>
  new Refusal('temporarily_unavailable', 'too_many_polls', 'too many polls wait at the moment', {
    headers: { 'Retry-After': '1' },
  })

type FeedParts = Given & { readonly store: Store }

const grow = async (parts: FeedParts): Promise<FeedHead> => {
  const { store } = parts
  const place = () => store.placeRevocations(makeId<string>(parts), feedLimits.placedTogether)
  while ((await store.isRevocationWaiting()) && (await place()) > 0);
  const head = await store.findFeedHead()
  if (head !== null) return head
  await place()
  return grow(parts)
}

export const createRevocationFeed = (parts: FeedParts, every: Every): RevocationFeed => {
  const waiting = new Set<Waiting>()
  let stop: (() => void) | null = null
  let isLooking = false
  let isClosed = false

  const release = (isDue: (one: Waiting) => boolean): void => {
    for (const one of waiting) {
      if (!isDue(one)) continue
      waiting.delete(one)
      one.resolve()
    }
    if (waiting.size > 0) return
    stop?.()
    stop = null
  }

  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const head = await grow(parts)
      release(({ position }) => position < head.position)
    } catch {
      // Each poll reads again at the end of its time, and meets the same fault.
    } finally {
      isLooking = false
    }
  }

  const tick = (): void => {
    release((one) => --one.ticks <= 0)
    if (waiting.size > 0) void look()
  }

  return {
    async read(after) {
      const head = await grow(parts)
      const found = after === null ? 0 : parsePosition(head, after)
      const revocations = await parts.store.listRevocations(found ?? 0, feedLimits.revocations)
      const last = revocations.at(-1)?.position ?? 0
      const hasMore = revocations.length === feedLimits.revocations
      const position = hasMore ? last : Math.max(last, head.position)
      const next = formatCursor({ ...head, position })
      return { revocations, next, hasMore, isReset: found === null }
    },
    async wait(after, seconds, clientId) {
      if (isClosed || seconds === 0) return
      const its = [...waiting].filter((one) => one.clientId === clientId).length
      if (waiting.size >= feedLimits.polls || its >= feedLimits.pollsPerClient) throw tooMany()
      const position = Number(after.split('.')[1])
      const ticks = seconds * feedLimits.ticksPerSecond
      return new Promise((resolve) => {
        waiting.add({ clientId, position, ticks, resolve })
        stop ??= every(tick)
      })
    },
    close() {
      isClosed = true
      release(() => true)
    },
  }
}
