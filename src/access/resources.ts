/** The resources of the service, held in memory and changed in the store. */
import { oncePerSecond } from '../clock.ts'
import { describeResource, resourceLimits } from '../config/resources.ts'
import type { Settings } from '../config/settings.ts'
import type { Clock, Random } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { Permissions, Resource, ScopeName } from '../model/resource.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Store } from '../store/store.ts'
import { serviceTrace } from '../store/trace.ts'
import { siteOf, uriOf } from './audience.ts'
import type { Resources } from './known-resources.ts'
import { allPermissions } from './permission.ts'
import { isIndicator } from './resource-indicator.ts'

/** The resources of a store. They are read before this resolves. */
export const openResources = async ({
  settings,
  store,
  clock,
}: {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
}): Promise<Resources> => {
  const words = settings.claims
  let all: readonly Resource[] = []
  let names: ReadonlySet<string> = new Set()
  let started = 0
  let applied = 0

  /** Of two reads at once, the one that began later counts. */
  const refresh = async (): Promise<void> => {
    const turn = ++started
    const read = await store.listResources()
    if (turn < applied) return
    applied = turn
    all = read
    names = new Set(allPermissions({ list: () => read, words }))
  }

  /** Also where the outcome is unknown: the change may have been made. */
  const thenRefresh = async <Outcome>(change: Promise<Outcome>): Promise<Outcome> => {
    try {
      return await change
    } finally {
      await refresh()
    }
  }

  await refresh()
  return {
    list: () => all,
    words,
    find: (name) => all.find((one) => one.name === name) ?? null,
    known: (some: Permissions) =>
      some.every((name) => names.has(name)) ? some : some.filter((name) => names.has(name)),
    refresh,
    learn: oncePerSecond(clock, refresh),
    create: (resource, trace) =>
      thenRefresh(store.createResource(resource, resourceLimits.resources, trace)),
    change: (name, change, trace) => thenRefresh(store.changeResource(name, change, trace)),
    remove: (name, trace) => thenRefresh(store.deleteResource(name, trace)),
  }
}

/** The names that still exist. One that another node has just added is looked up first. */
export const keepKnown = async (
  names: Permissions,
  { resources }: { readonly resources: Resources },
): Promise<Permissions> => {
  const known = resources.known(names)
  if (known.length === names.length) return known
  await resources.learn()
  return resources.known(names)
}

/** Reads the resources again where a scope names an unknown one: another node may have added it. */
export const learnScope = async (
  scope: unknown,
  { resources }: { readonly resources: Resources },
): Promise<void> => {
  if (typeof scope !== 'string') return
  const isUnknown = scope.split(/[ ,]/).some((name) => {
    if (name === '' || resources.known([name as ScopeName]).length > 0) return false
    return name.includes(':') || resources.find(name) === null
  })
  if (isUnknown) await resources.learn()
}

/** The same for the `scope` and the `resource` of a request. */
export const learnAsked = async (
  parameters: Parameters,
  parts: { readonly settings: Settings; readonly resources: Resources },
): Promise<void> => {
  const indicators = parameters.all('resource')
  if (indicators.some((uri) => !isIndicator(uri, siteOf(parts)))) await parts.resources.learn()
  else await learnScope(parameters.find('scope'), parts)
}

/** One that another node has just added is looked up first. */
export const findResource = async (
  name: string,
  { resources }: { readonly resources: Resources },
): Promise<Resource | null> => {
  if (resources.find(name) === null) await resources.learn()
  return resources.find(name)
}

/** The same by its URI, compared as a string. */
export const findByUri = async (
  uri: string,
  { settings, resources }: { readonly settings: Settings; readonly resources: Resources },
): Promise<Resource | null> => {
  const find = (): Resource | undefined =>
    resources.list().find((one) => uriOf(one, settings.issuer) === uri)
  if (find() === undefined) await resources.learn()
  return find() ?? null
}

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

const isChanged =
  'the stored resource differs from the setting resources, and the stored one counts'

const isSame = (a: Resource, b: Resource): boolean =>
  JSON.stringify(describeResource(a)) === JSON.stringify(describeResource(b))

/**
 * Creates the resources of the settings that the store has never had. One that was changed or deleted
 * later stays as it is.
 *
 * @throws ResourceConflict
 */
export const seedResources = async (parts: {
  readonly settings: Settings
  readonly clock: Clock
  readonly random: Random
  readonly resources: Resources
  readonly tell: Tell
}): Promise<void> => {
  const { settings, resources, tell } = parts
  for (const resource of [...resources.list(), ...settings.resources]) {
    if (resources.words.some(({ word }) => word === resource.name)) {
      throw seedFault(resource, 'has the name of a word of the setting claims')
    }
  }
  for (const resource of settings.resources) {
    const stored = resources.find(resource.name)
    if (stored !== null) {
      if (!isSame(stored, resource))
        tell({ level: 'info', message: isChanged, resource: stored.name })
      continue
    }
    if (resource.uri !== null && isOwnUri(resource.uri, settings.issuer)) {
      throw seedFault(resource, 'has a "uri" of this service')
    }
    const trace = serviceTrace(Math.floor(parts.clock() / 1000), parts)
    const outcome = await resources.create(resource, trace)
    if (outcome === 'uri_taken') throw seedFault(resource, 'has the "uri" of another resource')
    if (outcome === 'too_many') {
      throw seedFault(resource, `is one too many: there may be ${resourceLimits.resources}`)
    }
  }
}
