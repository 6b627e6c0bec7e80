/** Where the parts meet: settings, store, clock and keys go in, a service comes out. */
import { openResources, seedResources } from './access/resources.ts'
import { openSites } from './clients/sites.ts'
import { type Rest, readRunningTime, rest, restNever, startClock } from './clock.ts'
import { getIssuer } from './config/load.ts'
import { findSqlitePath } from './config/places.ts'
import type { Settings } from './config/settings.ts'
import { checkAuthorities } from './crypto/certificate-chain.ts'
import { drawRandom } from './crypto/digest.ts'
import { createPasswords, type Hashing, measureWork } from './crypto/password.ts'
import type { Keyring } from './crypto/seal.ts'
import { beginDemo } from './demo/seed.ts'
import { writeHeld } from './events/in-turn.ts'
import { openLog } from './events/log.ts'
import { createMetrics } from './events/metrics.ts'
import { type AskMetrics, makeMeter, openMetrics, timeHashes } from './events/monitoring.ts'
import { createRefusals, type Refusals } from './events/refusal-counter.ts'
import { keepRefusals } from './events/refusal-keeper.ts'
import { createSealer } from './events/seals/sealer.ts'
import { openAskedTelemetry } from './events/telemetry.ts'
import { openUses } from './events/uses.ts'
import { warnOfUnsure, warnOfWeakSettings } from './events/warnings.ts'
import { createWebhooks } from './events/webhooks.ts'
import { beginFeatures } from './features/index.ts'
import { featureSenders } from './features/senders.ts'
import { createHousekeeping } from './housekeeping.ts'
import { makeResponse } from './http/answer.ts'
import { watchDescriptors } from './http/descriptors.ts'
import { listen, type OnFault, type Respond, type RespondTo } from './http/listen.ts'
import type { Deadline } from './http/outbound.ts'
import type { Resolve } from './http/reach.ts'
import { loadLanguages } from './languages.ts'
import { type Mail, openMail } from './mail/sender.ts'
import type { Clock, Random } from './model/ids.ts'
import type { Meter } from './model/metric.ts'
import { noteFault, type Tell } from './model/notice.ts'
import { type Operate, operateBy } from './operations/surface/api.ts'
import { ownerLimits } from './owners/limits.ts'
import { createSubjects } from './owners/pairwise-secret.ts'
import { createTries } from './owners/tries.ts'
import { mergeRegistries, type Registries, type ServiceParts } from './registries.ts'
import { listenForMetrics } from './rooms/operator/metrics.ts'
import { createRouter } from './router.ts'
import { listRoutes } from './routes.ts'
import { boundStore, callEveryTick, callNever, type Every, Waiters } from './store/patience.ts'
import { openKeys } from './store/placed-id.ts'
import { openStore } from './store/sql/open.ts'
import type { Store } from './store/store.ts'
import { openKeyring } from './tokens/keys/keyring.ts'
import { listKeyKinds } from './tokens/keys/kinds.ts'
import {
  beginRootSecret,
  checkSecret,
  type RootSecret,
  readSecrets,
} from './tokens/keys/root-secret.ts'
import { createSigner } from './tokens/keys/signing.ts'
import { createLogoutNotices } from './tokens/logout-notices.ts'
import { createRevocationFeed } from './tokens/revocation-feed.ts'
import { openTokens } from './tokens/tokens.ts'
import { createFaces } from './upstreams/faces.ts'
import { openUpstreams } from './upstreams/index.ts'

/** Beside the settings: further grant types, response types and so on, beside the built-in ones. */
export interface ServerOptions extends Partial<Registries>, Pick<Meter, 'trace'> {
  readonly settings: Settings
  /** Told of every request and fault; nothing secret. Default: JSON lines on standard error. */
  readonly tell?: Tell
  /** For tests and simulations; the real ones by default. */
  readonly clock?: Clock
  /** Running time in milliseconds. With only `clock`, time stands still while that goes back. */
  readonly elapsed?: Clock
  /** Resolves after so many milliseconds: a page waits no longer for the uses that it shows. */
  readonly pause?: Rest
  /** Ticks that count how long requests wait for the store. With only `clock`, there are none. */
  readonly every?: Every
  readonly random?: Random
  /** The addresses of other sites; those of the hosts file and DNS by default. */
  readonly resolve?: Resolve
  /** Ends what takes too long at an upstream, or at the mail server while the service ends. */
  readonly deadline?: Deadline
  readonly store?: Store
  /** How passwords are hashed; argon2id by default. */
  readonly passwords?: Hashing
  /** Called once if the disk fails. End the process then: only a restart helps. */
  readonly onBroken?: () => void
}

/** What commands for the operator work with, beside requests. */
export type OperatedParts = Pick<
  ServiceParts,
  'settings' | 'store' | 'resources' | 'refusals' | 'passwords' | 'clock' | 'random'
> & {
  readonly counts: { flush(): Promise<void> }
  /** What the keys of the store are wrapped under. */
  readonly openRoot: () => Promise<RootSecret>
}

export interface Server {
  readonly settings: Settings
  readonly store: Store
  /** `operate` answers requests of the command line to the admin API. */
  readonly operated: OperatedParts & { readonly operate: Operate }
  readonly tell: Tell
  readonly askMetrics: AskMetrics
  /** Answers a request; `peer` is the address that it came from. */
  readonly respond: Respond
  /** Writes down what went wrong around it. */
  readonly onFault: OnFault
  /** The same for a program that mounts the service: a web `Request` in, a web `Response` out. */
  fetch(request: Request, peer: string): Promise<Response>
  /** Runs background jobs that are due; call it every few seconds. No housekeeping waits for other sites. */
  tick(): Promise<void>
  /** Answers requests that wait for news, and sends no more mail: the service is about to end. */
  hurry(): void
  /** Writes what is held in memory and closes the store. */
  close(): Promise<void>
}

const pickElapsed = ({ clock, elapsed }: ServerOptions): Clock =>
  elapsed ?? (clock ? () => 0 : readRunningTime)

/** Assembles a service. The service listens nowhere yet: `fetch` answers whatever it is given. */
export const createServer = async (options: ServerOptions): Promise<Server> => {
  const { settings, random = drawRandom } = options
  checkAuthorities(settings)
  checkSecret(settings, options.store === undefined && findSqlitePath(settings) !== null)
  const registries = mergeRegistries(options, settings)
  const languages = await loadLanguages(settings)
  const store = options.store ?? (await openStore(settings, options))
  try {
    const clock = await startClock(options.clock ?? null, pickElapsed(options), store)
    const shardKeys = await openKeys(store, random)
    const given = { settings, languages, clock, random, store, shardKeys, registries }
    return await assemble(options, given)
  } catch (fault) {
    await store.close()
    throw fault
  }
}

/** Every door of the service. The playground knocks at the others from outside, like anybody. */
const createRespond = async (
  { grants = [] }: Pick<ServerOptions, 'grants'>,
  metrics: AskMetrics,
  refusals: Refusals,
  { mailbox }: Mail,
  parts: ServiceParts,
): Promise<RespondTo> => {
  const loadPlayground = async () => {
    // A service that is no demo need not read it.
    const { openPlayground } = await import('../playground/playground.ts')
    const extensions = grants.map(({ type }) => type)
    return openPlayground(parts, { extensions, respond: (...asked) => respond(...asked) })
  }
  const playground = parts.settings.demo ? await loadPlayground() : null
  const respond = createRouter(listRoutes(parts, metrics, playground, mailbox), parts, refusals)
  return respond
}

/** The parts as requests have them: no call that waits for the store goes on after its deadline. */
const limitTime = (parts: Omit<ServiceParts, 'tokens'>, waiters: Waiters): ServiceParts => {
  const store = boundStore(parts.store, waiters)
  const learn: Keyring['learn'] = (id) => waiters.wait(() => parts.keyring.learn(id))
  const bounded = { ...parts, store, keyring: { ...parts.keyring, learn } }
  return { ...bounded, tokens: openTokens(bounded) }
}

const fetchBy =
  (respond: RespondTo): Server['fetch'] =>
  async (request, peer) => {
    const answer = await respond(request, peer)
    return makeResponse(request.method === 'HEAD' ? { ...answer, body: null } : answer)
  }

const assemble = async (
  options: ServerOptions,
  given: Pick<
    ServiceParts,
    'settings' | 'languages' | 'clock' | 'random' | 'store' | 'shardKeys' | 'registries'
  >,
): Promise<Server> => {
  const { settings, store, random, clock } = given
  const path = options.store === undefined ? findSqlitePath(settings) : null
  const isNew = (await store.listKeys()).length === 0
  const log = options.tell === undefined ? openLog(settings.logLevel, clock) : null
  const metrics = createMetrics(() => log?.droppedLines() ?? 0)
  const tell = options.tell ?? log?.tell ?? (() => {})
  const root = await beginRootSecret(given, await readSecrets(settings, path, isNew, random), tell)
  const keyring = await openKeyring(given, root, settings.issuer, listKeyKinds(settings))
  const resources = await openResources(given)
  const asking = { ...given, resources, tell, vault: root.vault }
  await Promise.all([seedResources(asking), beginFeatures(asking)])
  warnOfWeakSettings(settings, tell)
  for (const message of store.notes ?? []) tell({ level: 'info', message })
  warnOfUnsure(await store.findUnsureUntil(clock() / 1000), tell)
  const uses = openUses(given, metrics, tell, options.pause)
  const elapsed = pickElapsed(options)
  const measured = [timeHashes(metrics, elapsed), measureWork(elapsed)] as const
  const passwords = createPasswords(options.passwords, ...measured)
  const every = options.every ?? (options.clock === undefined ? callEveryTick : callNever)
  const waiting = new Waiters(every)
  const tries = createTries(ownerLimits.triesWaiting, waiting)
  const { sites, sent, ...fetching } = openSites(asking, options.resolve)
  const upstreams = openUpstreams(settings, options)
  const faces = createFaces(asking, options)
  const signer = createSigner(keyring, root.vault, given)
  const subjects = createSubjects(given, root.vault)
  const revocationFeed = createRevocationFeed(given, every)
  const logouts = createLogoutNotices({ ...given, signer, subjects, sent, tell })
  const keys = { keyring, signer, subjects, vault: root.vault, revocationFeed, logouts, passwords }
  const counted = { ...createRefusals(tell, settings.limits), refusals: keepRefusals(store) }
  const told = { resources, meter: makeMeter(metrics, options), tell, ...counted, uses }
  const parts = { ...given, tries, ...keys, upstreams, faces, ...sites, ...told }
  await beginDemo(parts, given.registries)
  const mail = await openMail(metrics, parts, options.deadline)
  const { ask, counts } = openMetrics(metrics, { ...parts, keyring, waiting })
  const respond = await createRespond(options, ask, counted, mail, limitTime(parts, waiting))
  const operated = { ...parts, counts, openRoot: async () => root }
  const webhooks = createWebhooks({ ...parts, metrics, outbound: sent.operator })
  const senders = [logouts, webhooks, ...featureSenders.map((open) => open({ ...parts, sent }))]
  const deliver = () => [faces.fetchWanted(), mail.send(), ...senders.map((one) => one.deliver())]
  const resting = { ...parts, rest: options.clock === undefined ? rest : restNever }
  const sealer = createSealer(resting, root.vault)
  const housekeeping = createHousekeeping({ ...resting, ...counted, keyring, counts, sealer })
  return {
    settings,
    store,
    operated: { ...operated, operate: operateBy(respond, settings) },
    tell,
    askMetrics: ask,
    respond,
    onFault: (fault) => tell(noteFault(fault)),
    fetch: fetchBy(respond),
    async tick() {
      await Promise.all([housekeeping.turn(), parts.logos.fetchWanted(), ...deliver()])
    },
    hurry() {
      revocationFeed.close()
      void mail.close()
    },
    async close() {
      for (const one of [revocationFeed, counted.tooMany, fetching, upstreams, faces]) one.close()
      await Promise.all([housekeeping, ...senders].map((one) => one.close()))
      await writeHeld({ uses, counts, refusals: counted.refusals }, tell)
      await mail.close()
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
 * Runs a service on the host and port of its settings. The service listens before it is assembled, since
 * with `PORT=0` the issuer is known only then.
 *
 * @throws SettingsFault, StoreRefusal, or what `listen` throws
 */
export const startService = async (options: ServerOptions): Promise<Service> => {
  const listener = await listen(options.settings)
  try {
    const settings = { ...options.settings, issuer: getIssuer(options.settings, listener.port) }
    const telemetry = await openAskedTelemetry(options.clock ?? Date.now, settings.issuer)
    const server = await createServer({ ...options, settings, ...telemetry?.tracing })
    telemetry?.watch(server.askMetrics)
    const monitored = await listenForMetrics(settings, server.askMetrics, server.onFault)
    listener.serve(server.respond, server.onFault)
    const check = watchDescriptors(server.tell)
    const timer = setInterval(() => void Promise.all([server.tick(), check()]), 1000)
    return {
      ...{ issuer: settings.issuer, port: listener.port, settings },
      operated: server.operated,
      tell: server.tell,
      async close() {
        clearInterval(timer)
        server.hurry()
        await Promise.all([listener.close(), monitored?.close()])
        await telemetry?.close()
        await server.close()
      },
    }
  } catch (fault) {
    await listener.close()
    throw fault
  }
}
