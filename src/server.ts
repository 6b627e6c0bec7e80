/** Where the parts meet: settings, store, clock and keys go in, a service comes out. */
import { openResources, seedResources } from './access/resources.ts'
import { openSites } from './clients/sites.ts'
import { createClientUses } from './clients/uses.ts'
import { forwardClock } from './clock.ts'
import { isLoopbackHttp } from './config/issuer.ts'
import { limits } from './config/limits.ts'
import { issuerFor, SettingsFault } from './config/load.ts'
import type { Settings } from './config/settings.ts'
import { systemRandom } from './crypto/digest.ts'
import { createPasswords, type Hashing } from './crypto/password.ts'
import { checkDemoRemains, markDemo } from './demo/remains.ts'
import { seedDemo } from './demo/seed.ts'
import { collectMetadata } from './endpoints/door/metadata.ts'
import { createMetrics, type Metrics } from './events/metrics.ts'
import { openUses } from './events/open-uses.ts'
import { openLog } from './events/publish.ts'
import { createRefusals, type Refusals } from './events/refusal-counter.ts'
import { warnOfUnnamedProxy } from './events/untrusted-proxy.ts'
import type { CollectorGiven } from './events/uses.ts'
import { createHousekeeping } from './housekeeping.ts'
import { responseOf } from './http/answer.ts'
import { listen, type OnFault, type Respond } from './http/listen.ts'
import type { Resolve } from './http/resolve.ts'
import { type Mail, openMail } from './mail/open.ts'
import { type Notice, type Tell, unexpected } from './model/notice.ts'
import { createSubjects } from './owners/pairwise-secret.ts'
import { createTries } from './owners/tries.ts'
import type { Clock, Parts, Random } from './parts.ts'
import { type EndpointParts, type Registries, registriesWith } from './registries.ts'
import { createRouter } from './router.ts'
import { metadataFragments, routes } from './routes.ts'
import { type Every, Waiters } from './store/patience.ts'
import { openPostgresStore, openSqliteStore } from './store/sql/open.ts'
import type { Store } from './store/store.ts'
import { beginRootSecret } from './tokens/begin-root-secret.ts'
import { keyKindsFor } from './tokens/key-kinds.ts'
import { openKeyring } from './tokens/keys.ts'
import { createLogoutNotices } from './tokens/logout-notices.ts'
import { createRevocationFeed } from './tokens/revocation-feed.ts'
import { givenSecrets, type RootSecret } from './tokens/root-secret.ts'
import { createSigner } from './tokens/signing.ts'
import { openUpstreams } from './upstreams/index.ts'

/** Beside the settings: further grant types, response types and so on, beside the built-in ones. */
export interface ServerOptions extends Partial<Registries> {
  readonly settings: Settings
  /** Told of every request and fault; nothing secret. Default: JSON lines on standard error. */
  readonly tell?: Tell
  /** For tests and simulations; the real ones by default. */
  readonly clock?: Clock
  /** Running time in milliseconds. With only `clock`, time stands still while that goes back. */
  readonly elapsed?: Clock
  /** Resolves after so many milliseconds: a page waits no longer for the uses that it shows. */
  readonly pause?: CollectorGiven['pause']
  /** Ticks that count how long requests wait for the store. With only `clock`, there are none. */
  readonly every?: Every
  readonly random?: Random
  /** The addresses of other sites; those of the hosts file and DNS by default. */
  readonly resolve?: Resolve
  readonly store?: Store
  /** How passwords are hashed; argon2id by default. */
  readonly passwords?: Hashing
  /** Called once if the disk fails. End the process then: only a restart helps. */
  readonly onBroken?: () => void
}

/** What commands for the operator work with, beside requests. */
export type OperatedParts = Pick<Parts, 'settings' | 'store' | 'resources' | 'clock' | 'random'> & {
  /** What the keys of the store are wrapped under. */
  readonly openRoot: () => Promise<RootSecret>
}

export interface Server {
  readonly settings: Settings
  readonly store: Store
  readonly operated: OperatedParts
  /** Writes down what happened. */
  readonly tell: Tell
  /** Answers a request; `peer` is the address that it came from. */
  readonly respond: Respond
  /** Writes down what went wrong around it. */
  readonly onFault: OnFault
  /** The same for a program that mounts the service: a web `Request` in, a web `Response` out. */
  fetch(request: Request, peer: string): Promise<Response>
  /** Runs background jobs that are due; call it every few seconds. */
  tick(): Promise<void>
  /** Answers requests that wait for news, since the service is about to end. */
  hurry(): void
  /** Writes what is held in memory and closes the store. */
  close(): Promise<void>
}

/** The file of an embedded store; null where the store is elsewhere. */
export const sqlitePath = ({ store }: Settings): string | null =>
  store.startsWith('sqlite:') ? store.replace(/^sqlite:/, '') : null

/** Opens the store that the settings name. @throws StoreRefusal */
export const openStore = (
  settings: Settings,
  { onBroken, random = systemRandom }: Pick<ServerOptions, 'onBroken' | 'random'> = {},
): Promise<Store> => {
  const path = sqlitePath(settings)
  if (path === null) return openPostgresStore({ url: settings.store, random })
  return openSqliteStore({ path, ...(onBroken === undefined ? {} : { onBroken }) })
}

const runningTime: Clock = () => Math.floor(performance.now())

/** A clock that goes on from the latest noted time of all nodes (decision 0011). */
const startClock = async (options: ServerOptions, store: Store): Promise<Clock> => {
  const { clock = Date.now, elapsed = options.clock ? () => 0 : runningTime } = options
  const latest = await store.noteTime(Math.floor(clock() / 1000))
  return forwardClock(clock, elapsed, latest * 1000)
}

/** Assembles a service. It listens nowhere yet: `fetch` answers whatever it is given. */
export const createServer = async (options: ServerOptions): Promise<Server> => {
  const { settings, random = systemRandom } = options
  checkSecret(options)
  const registries = registriesWith(options)
  const resources = { list: () => settings.resources, words: settings.claims }
  collectMetadata(metadataFragments, { settings, registries, resources })
  const store = options.store ?? (await openStore(settings, options))
  try {
    const clock = await startClock(options, store)
    return await assemble(options, { settings, clock, random, store, registries })
  } catch (fault) {
    await store.close()
    throw fault
  }
}

/** Without a root secret a reader of the database can forge tokens: on loopback only. */
const checkSecret = ({ store, settings }: ServerOptions): void => {
  const isKeptBeside = store === undefined && sqlitePath(settings) !== null
  if (settings.secret !== null || isKeptBeside || isLoopbackHttp(settings.issuer)) return
  throw new SettingsFault([
    'LATCHKEY_SECRET must be set, the same on every node, since the issuer is not loopback http. It wraps the sealing keys in the database. openssl rand -base64 32 makes one',
  ])
}

const realEvery: Every = (call) => {
  const timer = setInterval(call, limits.storeTickMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

const never: Every = () => () => {}

/** Every door of the service. The playground knocks at the others from outside, like anybody. */
const createRespond = async (
  { grants = [] }: Pick<ServerOptions, 'grants'>,
  metrics: Metrics,
  refusals: Refusals,
  waiting: Waiters,
  { mailbox }: Mail,
  parts: EndpointParts,
): Promise<Respond> => {
  const { issuer, demo } = parts.settings
  const outside: Respond = (request, peer) => respond(request, peer)
  const openPlayground = async () => {
    // A service that is no demo need not read it.
    const { createPlayground } = await import('./playground/playground.ts')
    const extensions = grants.map(({ type }) => type)
    return createPlayground({ issuer, extensions, respond: outside })
  }
  const playground = demo ? await openPlayground() : null
  const all = routes(metrics, playground, mailbox)
  const respond = createRouter(all, parts, refusals, waiting)
  return respond
}

const count = (
  { message, route, method, status, milliseconds, reason }: Notice,
  metrics: Metrics,
): void => {
  if (message !== 'request') return
  metrics.countRequest(String(route), String(method), Number(status), Number(milliseconds))
  if (typeof reason === 'string') metrics.countRefusal(reason)
}

const assemble = async (
  options: ServerOptions,
  given: Pick<EndpointParts, 'settings' | 'clock' | 'random' | 'store' | 'registries'>,
): Promise<Server> => {
  const { settings, store, random, clock } = given
  const path = options.store === undefined ? sqlitePath(settings) : null
  const isNew = (await store.listKeys()).length === 0
  const log = options.tell === undefined ? openLog(settings.logLevel, clock) : null
  const metrics = createMetrics(() => log?.droppedLines() ?? 0)
  const tell: Tell = (notice) => {
    count(notice, metrics)
    ;(options.tell ?? log?.tell)?.(notice)
  }
  const secrets = await givenSecrets(settings, path, isNew, random)
  const root = await beginRootSecret(given, secrets, tell)
  const keyring = await openKeyring(given, root, settings.issuer, keyKindsFor(settings))
  const resources = await openResources(given)
  await seedResources({ ...given, resources, tell })
  warnOfUnnamedProxy(settings, tell)
  const uses = openUses(given, metrics, tell, options.pause)
  const passwords = createPasswords(options.passwords)
  const memory = { tries: createTries(limits.triesWaiting), noteClientUse: createClientUses(tell) }
  const { outbound, ...sites } = openSites({ ...given, resources, tell }, options.resolve)
  const upstreams = openUpstreams(settings, options.resolve && { resolve: options.resolve })
  const signer = createSigner(keyring, root.vault, given)
  const subjects = createSubjects(given, root.vault)
  const every = options.every ?? (options.clock === undefined ? realEvery : never)
  const revocationFeed = createRevocationFeed(given, every)
  const logouts = createLogoutNotices({ ...given, signer, subjects, outbound, tell })
  const keys = { keyring, signer, subjects, vault: root.vault }
  const owned = { ...keys, revocationFeed, logouts, uses, passwords, upstreams }
  const parts: EndpointParts = { ...given, ...memory, ...owned, ...sites, resources, tell }
  if (settings.demo) {
    await seedDemo(parts, given.registries)
    await markDemo(store, settings.issuer, passwords)
  } else if (await checkDemoRemains(store, settings.issuer, passwords)) {
    tell({ level: 'warn', message: 'this database holds the demo, whose secrets everyone knows' })
  }
  const mail = await openMail(metrics, parts)
  const refusals = createRefusals(tell)
  const waiting = new Waiters(every)
  const respond = await createRespond(options, metrics, refusals, waiting, mail, parts)
  const housekeeping = createHousekeeping({ ...parts, keyring, tooMany: refusals.tooMany })
  return {
    settings,
    store,
    operated: { ...given, resources, openRoot: async () => root },
    tell,
    respond,
    onFault: (fault) => tell(unexpected(fault)),
    async fetch(request, peer) {
      const answer = await respond(request, peer)
      return responseOf(request.method === 'HEAD' ? { ...answer, body: null } : answer)
    },
    async tick() {
      // Other sites may take their time, and no housekeeping waits for them.
      await Promise.all([housekeeping(), parts.logos.fetchWanted(), mail.send(), logouts.deliver()])
    },
    hurry: revocationFeed.close,
    async close() {
      revocationFeed.close()
      refusals.tooMany.close()
      outbound.close()
      upstreams.close()
      await logouts.close()
      const message = 'the last uses were not written'
      const note = (fault: unknown) => tell({ level: 'error', message, fault: String(fault) })
      await uses.flush().catch(note)
      await store.close()
      await log?.close()
    },
  }
}

export interface Service extends Pick<Server, 'settings' | 'operated' | 'tell'> {
  readonly issuer: string
  /** The port it listens on, also with `PORT=0`. */
  readonly port: number
  /** Drains and closes: takes no more connections, ends what is under way, closes the store. */
  close(): Promise<void>
}

/**
 * Runs a service on the host and port of its settings. It listens before it is assembled, since
 * with `PORT=0` the issuer is known only then.
 *
 * @throws SettingsFault, StoreRefusal, or what `listen` throws
 */
export const startService = async (options: ServerOptions): Promise<Service> => {
  const { port, host } = options.settings
  const listener = await listen(port, host)
  try {
    const issuer = issuerFor(options.settings, listener.port)
    const settings = { ...options.settings, issuer }
    const server = await createServer({ ...options, settings })
    listener.serve(server.respond, server.onFault)
    const timer = setInterval(() => void server.tick(), 1000)
    return {
      issuer: settings.issuer,
      port: listener.port,
      settings,
      operated: server.operated,
      tell: server.tell,
      async close() {
        clearInterval(timer)
        server.hurry()
        await listener.close()
        await server.close()
      },
    }
  } catch (fault) {
    await listener.close()
    throw fault
  }
}
