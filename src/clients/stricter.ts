/** The clients that a stricter profile would break, by their acts of the last 30 days. */
import type { Settings } from '../config/settings.ts'
import type { ClientId } from '../model/ids.ts'
import { type KeptCount, otherClients } from '../model/metric.ts'
import { isAsStrict, profiles, type SecurityProfile } from '../model/profile.ts'
import {
  getProfile,
  isExempt,
  listAddedRules,
  type ProfileRuleName,
  type ProfileSettings,
} from '../protocol/profile.ts'
import { recordLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'
import { findClient } from './find.ts'

interface LaxParts {
  readonly store: Pick<Store, 'findClient' | 'listDailySums'>
  readonly settings: ProfileSettings & Pick<Settings, 'demo'>
}

interface BrokenRule {
  readonly rule: ProfileRuleName
  /** The beginning of the last day on which it was broken (UTC), in unix seconds. */
  readonly lastDay: number
}

export interface BrokenClient {
  /** `*`: all clients that were too many to be told apart. */
  readonly clientId: string
  /** Null for `*`. */
  readonly name: string | null
  readonly rules: readonly BrokenRule[]
}

/** A stricter profile than that of the service, and the clients it would break. */
export interface StricterProfile {
  readonly profile: SecurityProfile
  readonly clients: readonly BrokenClient[]
}

interface LaxClient {
  readonly clientId: string
  readonly name: string | null
  readonly counts: readonly KeptCount[]
  /** That counts for the client now. */
  readonly profile: SecurityProfile
}

/** Null for a client that is gone or disabled, and for `latchkey-admin` of the demo. */
const findLaxClient = async (
  clientId: string,
  counts: readonly KeptCount[],
  { store, settings }: LaxParts,
): Promise<LaxClient | null> => {
  if (clientId === otherClients) {
    return { clientId, name: null, counts, profile: settings.profile }
  }
  const client = await findClient(clientId, { store })
  if (client === null || isExempt(client, settings)) return null
  return { clientId, name: client.name, counts, profile: getProfile(client, settings) }
}

const findBroken = (
  profile: SecurityProfile,
  { clientId, name, counts, profile: own }: LaxClient,
): readonly BrokenClient[] => {
  const rules = listAddedRules(profile, own).flatMap((rule) => {
    const of = counts.filter(({ name }) => name === rule)
    return of.length === 0 ? [] : [{ rule, lastDay: Math.max(...of.map(({ at }) => at)) }]
  })
  return rules.length === 0 ? [] : [{ clientId, name, rules }]
}

/**
 * Each stricter profile with the clients that broke its rules in the last 30 days.
 *
 * @param clientId of one client; null for all
 * @param at unix seconds
 */
export const listStricter = async (
  clientId: ClientId | null,
  at: number,
  parts: LaxParts,
): Promise<readonly StricterProfile[]> => {
  const from = at - recordLimits.laxSeconds
  const sums = await parts.store.listDailySums(['lax', 'laxGuests'], clientId, from)
  const found = await Promise.all(
    [...Map.groupBy(sums, (one) => one.clientId)].map(([id, counts]) =>
      findLaxClient(id, counts, parts),
    ),
  )
  const clients = found.filter((one) => one !== null)
  return profiles
    .filter((profile) => !isAsStrict(parts.settings.profile, profile))
    .map((profile) => ({
      profile,
      clients: clients.flatMap((client) => findBroken(profile, client)),
    }))
}
