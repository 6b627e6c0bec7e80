/** The resources of the service, held in memory and changed in the store. */

import { throttleLoad } from '../clock.ts'
import { resourceLimits } from '../config/resource-words.ts'
import { describeResource } from '../config/resources.ts'
import type { Settings } from '../config/settings.ts'
import type { Clock, Given } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { Permissions, Resource, ResourceChange } from '../model/resource.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { pickAlgorithm } from '../protocol/profile.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { makeServiceTrace } from '../store/trace.ts'
import { getUri } from './audience.ts'
import { listAllPermissions, listGrantable, listOwnerPermissions } from './permission.ts'
import { isIndicator } from './resource-indicator.ts'

type LatestSettings = Pick<Settings, 'issuer' | 'claims' | 'profile'>

/** All that requests ask of the resources, made after each reading and not for each request. */
const deriveLatest = (
  all: readonly Resource[],
  { issuer, claims: words, profile }: LatestSettings,
) => {
  const askable = { list: () => all, words }
  const names: ReadonlySet<string> = new Set(listAllPermissions(askable))
  const builtIn = all.filter(({ uri }) => uri === null)
  const ofJwt = all.filter(({ accessTokenFormat }) => accessTokenFormat === 'jwt')
  return {
    all,
    byName: new Map(all.map((resource) => [resource.name, resource])),
    /** The audiences of tokens depend on it. */
    site: { issuer, resources: all },
    /** Permissions and words. */
    names,
    /** The same, and resources: a scope may name one for its two permissions. */
    askable: new Set([...names, ...all.map(({ name }) => name)]),
    /** All that an owner can grant. */
    grantable: listGrantable(askable),
    builtInPermissions: listOwnerPermissions(builtIn),
    /** The resources with tokens in the format `jwt`, and how those are signed (RFC 9068 section 4). */
    jwtAlgorithms: new Map(
      ofJwt.map((one) => [getUri(one, issuer), pickAlgorithm(one.accessTokenAlgorithm, profile)]),
    ),
  }
}

/** The resources as they were read last. */
const createLatest = (store: Pick<Store, 'listResources'>, settings: LatestSettings) => {
  const latest = deriveLatest([], settings)
  let started = 0
  let applied = 0
  /** Of two reads at once, the one that began later counts. */
  const refresh = async (): Promise<void> => {
    const turn = ++started
    const resources = await store.listResources()
    if (turn < applied) return
    applied = turn
    Object.assign(latest, deriveLatest(resources, settings))
  }
  return { latest, refresh }
}

/**
 * The resources of the service. Nothing on the way of a request waits for the store, unless it names
 * something unknown: another node may just have added that. Changes of this node count at once, and
 * those of other nodes within five seconds.
 */
export const openResources = async (given: {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
}) => {
  const { settings, store, clock } = given
  const { latest, refresh } = createLatest(store, settings)

  /** Also where the outcome is unknown: the change may have been made. */
  const thenRefresh = async <Outcome>(change: Promise<Outcome>): Promise<Outcome> => {
    try {
      return await change
    } finally {
      await refresh()
    }
  }

  const learn = throttleLoad(clock, refresh)

  const find = (name: string): Resource | null => latest.byName.get(name) ?? null

  const isNews = (scope: unknown): boolean =>
    typeof scope === 'string' &&
    scope.split(/[ ,]/).some((name) => name !== '' && !latest.askable.has(name))

  const orLearn = async <Found>(look: () => Found | null): Promise<Found | null> => {
    if (look() === null) await learn()
    return look()
  }

  await refresh()
  return {
    /** In the order in which they were created. */
    list: (): readonly Resource[] => latest.all,
    latest,
    /** Words of a scope that the operator added. No resource has such a name. */
    words: settings.claims,
    find,
    refresh,
    /** The same before something unknown is refused, once a second at most. */
    learn,
    /** The names that still exist: those of a deleted resource are gone. The same list if all exist. */
    async keepKnown(some: Permissions): Promise<Permissions> {
      if (some.every((name) => latest.names.has(name))) return some
      await learn()
      return some.filter((name) => latest.names.has(name))
    },
    async learnScope(scope: unknown): Promise<void> {
      if (isNews(scope)) await learn()
    },
    /** Learns of the resources that `scope` and `resource` of a request name. */
    async learnAsked(parameters: Parameters): Promise<void> {
      const isKnown = parameters.all('resource').every((uri) => isIndicator(uri, latest.site))
      if (!isKnown || isNews(parameters.find('scope'))) await learn()
    },
    /** Looks an unknown name up before it answers null. */
    look: (name: string) => orLearn(() => find(name)),
    /** The same by its URI, compared as a string. */
    lookByUri: (uri: string) =>
      orLearn(() => latest.all.find((one) => getUri(one, settings.issuer) === uri) ?? null),
    create: (resource: Resource, trace: Trace) =>
      thenRefresh(store.createResource(resource, resourceLimits.resources, trace)),
    change: (name: string, change: ResourceChange, trace: Trace, seen?: Resource) =>
      thenRefresh(store.changeResource(name, change, trace, seen)),
    remove: (name: string, trace: Trace, seen?: Resource) =>
      thenRefresh(store.deleteResource(name, trace, seen)),
  }
}

export type Resources = Awaited<ReturnType<typeof openResources>>

/** Whether a URI is one of the service itself: `resource` could otherwise mean two things. */
export const isOwnUri = (uri: string, issuer: string): boolean => {
  const { href } = new URL(uri)
  const own = (path: string): string => new URL(`${issuer}${path}`).href
  return (
    href.replace(/\/$/, '') === own('').replace(/\/$/, '') ||
    ['/api', '/admin', '/userinfo'].some(
      (path) => href === own(path) || href.startsWith(own(`${path}/`)),
    )
  )
}

/** A resource of the settings cannot be created; the service does not start. */
class ResourceConflict extends Error {
  override readonly name = 'ResourceConflict'
}

const seedFault = (resource: Resource, says: string): ResourceConflict =>
  new ResourceConflict(`the setting resources: the resource "${resource.name}" ${says}`)

/**
 * Creates the resources of the settings that the store has never had. One that was changed or deleted
 * later stays as it is.
 *
 * @throws ResourceConflict
 */
export const seedResources = async (
  parts: Given & {
    readonly settings: Settings
    readonly resources: Resources
    readonly tell: Tell
  },
): Promise<void> => {
  const { settings, resources, tell } = parts
  for (const resource of [...resources.list(), ...settings.resources]) {
    if (resources.words.some(({ word }) => word === resource.name)) {
      throw seedFault(resource, 'has the name of a word of the setting claims')
    }
  }
  for (const resource of settings.resources) {
    const stored = resources.find(resource.name)
    if (stored !== null) {
      const [is, was] = [stored, resource].map((one) => JSON.stringify(describeResource(one)))
      const message =
        'the stored resource differs from the setting resources, and the stored one counts'
      if (is !== was) tell({ level: 'info', message, resource: stored.name })
      continue
    }
    if (resource.uri !== null && isOwnUri(resource.uri, settings.issuer)) {
      throw seedFault(resource, 'has a "uri" of this service')
    }
    const trace = makeServiceTrace(Math.floor(parts.clock() / 1000), parts)
    const outcome = await resources.create(resource, trace)
    if (outcome === 'uri_taken') throw seedFault(resource, 'has the "uri" of another resource')
    if (outcome === 'too_many') {
      throw seedFault(resource, `is one too many: there may be ${resourceLimits.resources}`)
    }
  }
}
