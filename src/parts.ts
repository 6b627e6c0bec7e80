/** The parts assembled in `server.ts`. They are passed as arguments and never looked up. */
import type { Settings } from './config/settings.ts'
import type { Passwords } from './crypto/password.ts'
import type { Keyring } from './crypto/seal.ts'
import type { Vault } from './crypto/wrap.ts'
import type { Exchange } from './http/exchange.ts'
import { actorOf } from './model/actor.ts'
import type { Client } from './model/client.ts'
import type { AuthorizationId, ClientId, EventId, OwnerId } from './model/ids.ts'
import { newId } from './model/ids.ts'
import type { JsonObject } from './model/json.ts'
import type { RefusalCounter, RefusalKeeper } from './model/kept-refusal.ts'
import type { JwsAlgorithm, KeyUse, PublicKey } from './model/key.ts'
import type { Language } from './model/language.ts'
import type { Meter } from './model/metric.ts'
import type { Tell } from './model/notice.ts'
import type { ClientLogo } from './model/picture.ts'
import type { Permissions, Resource } from './model/resource.ts'
import type { Revocation } from './model/revocation.ts'
import type { OwnClaims } from './model/scope-word.ts'
import type { Used } from './model/use.ts'
import type {
  AdmittedAttempt,
  CreateResourceOutcome,
  Store,
  StoredKey,
  Trace,
} from './store/store.ts'

/** Unix time in milliseconds. */
export type Clock = () => number

/** So many random bytes. */
export type Random = (bytes: number) => Uint8Array

/** One use of an authorization. */
export interface OneUse {
  readonly authorizationId: AuthorizationId
  readonly used: Used
  /** False where the token was alive but did not allow it. */
  readonly allowed: boolean
  /** The client's address; '' if not known. */
  readonly address: string
  /** Unix seconds. */
  readonly at: number
}

/** Uses of authorizations, collected in memory and written in batches. */
export interface Uses {
  note(use: OneUse): void
  /** Writes what was noted. A fault keeps it for the next time. */
  flush(): Promise<void>
  /** The same for a page that shows uses: waits a moment only, and ignores failures. */
  catchUp(): Promise<void>
}

/** How a try at a password or a code went: it was checked (null where it was wrong), or has to wait. */
export type Try<Found> =
  | { readonly outcome: 'checked'; readonly found: Found | null }
  | Extract<AdmittedAttempt, { outcome: 'wait' }>

/** Makes a try once it is its turn; one that has to wait while others are checked is made again after them. */
export type Tries = <Found>(
  counters: readonly string[],
  attempt: () => Promise<Try<Found>>,
) => Promise<Try<Found>>

/** Pictures of the clients that the operator registered, fetched by this service. */
export interface Logos {
  /** The one to show now. Null: none is kept yet, or none is wanted. Never waits for another site. */
  find(client: Client, at: number): Promise<ClientLogo | null>
  /** Has the picture of a client fetched soon. */
  want(client: Client): void
  /** Fetches what is wanted, a few at once. Never rejects. */
  fetchWanted(): Promise<void>
}

/** Why the client of a metadata document cannot be approved now. */
export type DocumentFault =
  /** The document breaks a rule, or is gone: `said` names the rule. */
  | { readonly is: 'unusable'; readonly said: string }
  /** Its host does not answer, and no copy serves any more. */
  | { readonly is: 'unreachable' }
  /** The operator takes no documents. */
  | { readonly is: 'off' }
  /** Too much of the network, or of all: again in so many seconds. */
  | { readonly is: 'too_many'; readonly seconds: number }

/** Clients whose id is the URL of a document about them. */
export interface Documents {
  /**
   * Makes the stored client of a document current. Null where it is, and for every other client id.
   * Fetches at most once at a time for each document.
   */
  refresh(
    id: string,
    exchange: Pick<Exchange, 'at' | 'address' | 'requestId' | 'caller'> & FetchAsker,
  ): Promise<DocumentFault | null>
}

/** The request that needs something from the site of a client. */
export interface FetchAsker extends Pick<Exchange, 'at'> {
  /** A stranger's: then fetches are bounded. Null where the client proved itself. */
  readonly address: string | null
  /** Whether it loads a part of a foreign page, such as an image: then nothing is fetched. */
  readonly isForPart?: boolean
}

/** Why the keys of a client cannot be had now. */
export type KeysFault = Extract<DocumentFault, { is: 'unusable' | 'unreachable' }>

/** What a key is looked for. */
export interface WantedKey {
  readonly algorithm: string
  readonly use: 'sig' | 'enc'
  /** Null where the message names none. */
  readonly kid: string | null
}

/** Request objects at URLs that their clients registered. */
export interface RequestObjects {
  /** Never rejects. */
  find(
    uri: string,
    client: Pick<Client, 'registeredBy'>,
    asker: FetchAsker,
  ): Promise<KeysFault | { readonly is: 'fetched'; readonly text: string }>
}

/** Public keys of clients. */
export interface ClientKeys<Party = Pick<Client, 'openid' | 'registeredBy'>> {
  /** The keys that fit. Never rejects. */
  find(
    client: Party,
    wanted: WantedKey,
    asker: FetchAsker,
  ): Promise<KeysFault | { readonly is: 'found'; readonly keys: readonly PublicKey[] }>
}

/** Sectors of clients (OpenID Connect Registration section 5). */
export interface Sectors {
  /**
   * Fetches the list at `sector_identifier_uri` where a redirect URI is new to it.
   *
   * @throws Refusal `invalid_client_metadata`, `too_many_requests`
   */
  check(
    after: Pick<Client, 'redirectUris' | 'openid' | 'registeredBy'>,
    before: Pick<Client, 'redirectUris' | 'openid'> | null,
    asker: Pick<Exchange, 'at' | 'address'>,
  ): Promise<void>
}

/** Notices to clients that logins have ended. */
export interface LogoutNotices {
  /** Sends what is queued, soon. */
  wake(): void
}

/** All keys of a use as they are stored, also those that are not used yet. */
export type StoredKeys = (use: KeyUse) => readonly StoredKey[]

/** The `typ` of a JWT (RFC 8725 section 3.11): what it is, so that none is taken for another. */
export type JwtType = 'JWT' | 'at+jwt' | 'logout+jwt' | 'secevent+jwt' | 'token-introspection+jwt'

/** Signs JWTs, and reads those of this service. */
export interface Signer {
  /** @throws StoreFault where the keys do not open */
  sign(claims: JsonObject, algorithm: JwsAlgorithm, typ: JwtType): Promise<string>
  /** The claims of a JWT that this service signed as this type; null for everything else. */
  read(text: string, typ: JwtType): Promise<JsonObject | null>
  /** All signing keys. Makes the first of each algorithm, so that others can learn of it. */
  published(): Promise<readonly StoredKey[]>
}

/** Subjects of clients that share none with others (OpenID Connect Core section 8.1). */
export interface Subjects {
  /**
   * The subject of an owner in one sector: always the same.
   *
   * @throws StoreFault where the secret behind it does not open
   */
  of(sector: string, ownerId: OwnerId): Promise<string>
}

/** A part of the feed. */
export interface FeedPage {
  readonly revocations: readonly Revocation[]
  /** Where to go on. */
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
  /** Lets nobody wait any more. */
  close(): void
}

/**
 * The resources of the service, held in memory. Nothing on the way of a request waits for the store.
 * Changes of this node count at once, and those of other nodes within five seconds.
 */
export interface Resources {
  /** In the order in which they were created. */
  list(): readonly Resource[]
  /** Words of a scope that the operator added. No resource has such a name. */
  readonly words: readonly OwnClaims[]
  find(name: string): Resource | null
  /** The names that still exist: those of a deleted resource are gone. The same list if all exist. */
  known(names: Permissions): Permissions
  /** Reads them from the store again. */
  refresh(): Promise<void>
  /** The same before something unknown is refused, once a second at most. */
  learn(): Promise<void>
  create(resource: Resource, trace: Trace): Promise<CreateResourceOutcome>
  readonly change: Store['changeResource']
  readonly remove: Store['deleteResource']
}

/** The resources for whoever only reads them. */
export type KnownResources = Pick<Resources, 'list' | 'words'>

export interface Parts {
  readonly settings: Settings
  /** The languages of the pages; English is the first. */
  readonly languages: readonly Language[]
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly keyring: Keyring
  readonly signer: Signer
  readonly subjects: Subjects
  readonly revocationFeed: RevocationFeed
  /** For secrets that have to be read again, such as those behind one-time codes. */
  readonly vault: Vault
  readonly passwords: Passwords
  readonly tries: Tries
  readonly uses: Uses
  readonly refusals: RefusalKeeper
  /**
   * Notes that a client which registered itself authenticated or got tokens. Unused ones are deleted.
   * Never rejects.
   */
  readonly noteClientUse: (
    client: Client,
    at: number,
    store: Pick<Store, 'noteClientUse'>,
  ) => Promise<void>
  readonly logos: Logos
  readonly documents: Documents
  readonly sectors: Sectors
  readonly clientKeys: ClientKeys
  readonly requestObjects: RequestObjects
  readonly refusedObjects: RefusalCounter
  readonly logouts: LogoutNotices
  readonly resources: Resources
  readonly meter: Meter
  readonly tell: Tell
}

/** A new time-ordered id of whatever kind is wanted. */
export const makeId = <Id extends string>(parts: Pick<Parts, 'clock' | 'random'>): Id =>
  newId(parts.clock(), parts.random(10)) as Id

type Traced = Pick<Exchange, 'at' | 'requestId' | 'caller'>

/** The trace of the only step of a request that tells of anything: the event has the id of its request. */
export const onlyTraceOf = ({ at, requestId, caller }: Traced): Trace => ({
  eventId: requestId as EventId,
  at,
  requestId,
  actor: actorOf(caller),
})

/** The trace of one store step within a request, done by whoever has proved to be behind it by now. */
export const traceOf = (traced: Traced, parts: Pick<Parts, 'clock' | 'random'>): Trace => ({
  ...onlyTraceOf(traced),
  eventId: makeId<EventId>(parts),
})

/** The trace of a step that the service takes by itself. @param at unix seconds */
export const serviceTrace = (at: number, parts: Pick<Parts, 'clock' | 'random'>): Trace => ({
  eventId: makeId<EventId>(parts),
  at,
  requestId: null,
  actor: { type: 'service' },
})
