/** What an operator should look at: old keys, waiting mails, full queues, rising refusals. */
import type { Settings } from '../config/settings.ts'
import type { Passwords } from '../crypto/password.ts'
import { featureLags } from '../features/lags.ts'
import { featureMissing } from '../features/missing.ts'
import { deriveOldestWait } from '../model/mail.ts'
import type { Store } from '../store/store.ts'
import { listAway } from '../store/workers.ts'
import { listKeyAges } from './gauges.ts'
import { mailKeepSeconds } from './limits.ts'
import type { Overview } from './series.ts'
import { type CountedTheft, countEvents, countThefts } from './thefts.ts'

export type Attention =
  /** Events of the last day that may be a theft. */
  | ({ readonly is: 'theft' } & CountedTheft)
  /** Within an hour, wrong codes after right passwords. */
  | { readonly is: 'wrongCodes'; readonly count: number }
  /** Of late, far more logins were refused than let in. */
  | { readonly is: 'guessing'; readonly count: number }
  | { readonly is: 'oldKey'; readonly key: string; readonly days: number }
  | { readonly is: 'mails'; readonly count: number; readonly minutes: number }
  | { readonly is: 'rising'; readonly count: number; readonly times: number }
  /** Nothing to compare with, as in a new service or after a quiet time. */
  | { readonly is: 'risen'; readonly count: number }
  | { readonly is: 'hashes'; readonly count: number }
  /** People whom a directory has not, left enabled. */
  | { readonly is: 'missing'; readonly upstream: string; readonly count: number }
  /** A directory has not told of all its people. */
  | { readonly is: 'unchecked'; readonly upstream: string; readonly hours: number }
  /** A machine of the database that its coordinator does not reach, with so many shards of all. */
  | {
      readonly is: 'machine'
      readonly machine: string
      readonly shards: number
      readonly of: number
    }
  /** An API that has not taken a revocation. */
  | { readonly is: 'deafApi'; readonly resource: string; readonly seconds: number }

/** Keys are told of so many days after their rotation should have been, and mails that wait so long. */
const keyDays = 7
const mailMinutes = 10
/** Told of: so many refusals in the last share of a range, so many times the usual. */
const rise = { share: 0.2, refusals: 20, times: 3 }

/** Told of: so many refused logins in that share of a range, so many for each right one. */
const guessing = { logins: 20, times: 3 }

/** People mistype some codes. So many within an hour are told of. */
const wrongCodes = 10

const hour = 3600
const day = 86_400

interface AttentionParts {
  readonly settings: Settings
  readonly store: Store
  readonly passwords: Passwords
}

/** Keys that nothing has replaced since long after they should have been. */
const listOldKeys = async (
  at: number,
  { settings, store }: AttentionParts,
): Promise<readonly Attention[]> =>
  listKeyAges(await store.listKeys(), at)
    .map(([key, seconds]) => ({ is: 'oldKey', key, days: Math.floor(seconds / day) }) as const)
    .filter(({ days }) => days > settings.keyRotationDays + keyDays)

const listWaitingMails = async (
  at: number,
  { store }: AttentionParts,
): Promise<readonly Attention[]> => {
  const { waiting, firstExpiresAt } = await store.findMailQueue()
  const minutes = Math.floor(deriveOldestWait(firstExpiresAt, mailKeepSeconds, at) / 60)
  const isLong = waiting > 0 && minutes >= mailMinutes
  return isLong ? [{ is: 'mails', count: waiting, minutes }] : []
}

const listDeafApis = async (
  at: number,
  { store }: AttentionParts,
): Promise<readonly Attention[]> => {
  const lags = await Promise.all(featureLags.map((find) => find(store, at * 1000)))
  return lags
    .flat()
    .filter(({ isDeaf }) => isDeaf)
    .map(({ resource, seconds }) => ({ is: 'deafApi', resource, seconds: Math.floor(seconds) }))
}

const listMissing = async (
  at: number,
  { store }: AttentionParts,
): Promise<readonly Attention[]> => {
  const found = await Promise.all(featureMissing.map((find) => find(store, at)))
  return found
    .flat()
    .flatMap(({ upstream, count, hours }): readonly Attention[] => [
      ...(count > 0 ? [{ is: 'missing', upstream, count } as const] : []),
      ...(hours > 0 ? [{ is: 'unchecked', upstream, hours } as const] : []),
    ])
}

/** The last periods of a range against those before. */
const listRising = ({ refusals, starts }: Overview): readonly Attention[] => {
  const { share, refusals: least, times: leastTimes } = rise
  const sums = starts.map((_, i) => refusals.reduce((all, { values }) => all + (values[i] ?? 0), 0))
  const late = Math.max(1, Math.round(starts.length * share))
  const total = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)
  const count = total(sums.slice(-late))
  const before = sums.slice(0, -late)
  if (total(before) === 0) return count >= least ? [{ is: 'risen', count }] : []
  const usual = Math.max(1, (total(before) / before.length) * late)
  const times = Math.floor(count / usual)
  return count >= least && times >= leastTimes ? [{ is: 'rising', count, times }] : []
}

const listThefts = async (at: number, { store }: AttentionParts): Promise<readonly Attention[]> =>
  (await countThefts(day, at, store))
    .filter(({ count }) => count > 0)
    .map((theft) => ({ is: 'theft', ...theft }))

const listWrongCodes = async (
  at: number,
  { store }: AttentionParts,
): Promise<readonly Attention[]> => {
  const count = await countEvents('login.second_factor_failed', hour, at, store)
  return count > wrongCodes ? [{ is: 'wrongCodes', count }] : []
}

const listGuessing = ({ logins, starts }: Overview): readonly Attention[] => {
  const late = Math.max(1, Math.round(starts.length * rise.share))
  const [refused = 0, succeeded = 0] = [logins.refused, logins.succeeded].map((values) =>
    values.slice(-late).reduce((all, one) => all + one, 0),
  )
  const isBurst = refused >= guessing.logins && refused >= guessing.times * succeeded
  return isBurst ? [{ is: 'guessing', count: refused }] : []
}

const listWorkersAway = async (
  _at: number,
  { store }: AttentionParts,
): Promise<readonly Attention[]> => {
  const { workers, of } = await listAway(store)
  return workers.map(({ name, shards }) => ({ is: 'machine', machine: name, shards, of }))
}

/** @param at unix seconds */
export const findAttention = async (
  overview: Overview,
  at: number,
  parts: AttentionParts,
): Promise<readonly Attention[]> => {
  const { waiting } = parts.passwords.load()
  const found = [
    listOldKeys,
    listWaitingMails,
    listDeafApis,
    listThefts,
    listWrongCodes,
    listMissing,
    listWorkersAway,
  ]
  const [keys = [], mails = [], deaf = [], thefts = [], codes = [], missing = [], away = []] =
    await Promise.all(found.map((list) => list(at, parts)))
  const hashes: readonly Attention[] = waiting > 0 ? [{ is: 'hashes', count: waiting }] : []
  const rising = [...listGuessing(overview), ...listRising(overview)]
  return [
    ...away,
    ...thefts,
    ...codes,
    ...missing,
    ...deaf,
    ...rising,
    ...mails,
    ...hashes,
    ...keys,
  ]
}
