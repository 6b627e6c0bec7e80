/** The contract about clients (RFC 7591). */

import { type Client, type ClientChange, isPublic } from '../../model/client.ts'
import type { ClientId, Digest } from '../../model/ids.ts'
import type { ClientLogo } from '../../model/picture.ts'
import type { Permissions } from '../../model/resource.ts'
import type { FoundPage, Page, Trace, WordsDue } from './trace.ts'

/** The outcome of a change that a client makes to itself. */
export type OwnChange =
  | { readonly outcome: 'changed'; readonly client: Client }
  /** The client is gone or disabled, or its registration token has ended. */
  | { readonly outcome: 'gone' }
  /** The operator has set these members (RFC 7591). */
  | { readonly outcome: 'held'; readonly members: readonly string[] }
  /** The client has changed itself too often: again in so many seconds. */
  | { readonly outcome: 'too_often'; readonly seconds: number }

/** A network, and how many clients it may register or hold. */
export interface NetworkBound {
  readonly network: string
  readonly most: number
}

/** How many clients strangers may register. */
export interface RegistrationQuota {
  /** In the window that begins with the first (`registrationWindowSeconds`); the narrowest network first. */
  readonly perWindow: readonly NetworkBound[]
  /** Live clients without an owner's approval; null if no network is counted. */
  readonly share: NetworkBound | null
  readonly mostInTotal: number
}

/** The outcome of a registration by a stranger. */
export type RegisterOutcome =
  | { readonly outcome: 'created' | 'taken' | 'too_many' }
  /** @member until unix seconds */
  | { readonly outcome: 'too_many_of_network'; readonly most: number; readonly until: number }
  | { readonly outcome: 'too_many_held'; readonly most: number }

/**
 * The outcome of keeping a newer copy of a metadata document. `gone`: there is no such client, or it is no
 * document. `too_often`: it changed too often for a day, so the former copy stays.
 */
export type KeptDocument = { readonly outcome: 'kept' | 'gone' | 'too_often' }

/** Who brought a client. */
export const clientBringers = ['operator', 'itself', 'document'] as const
/** Who brought a client. A metadata document has a client of its own. */
export type ClientBringer = (typeof clientBringers)[number]

/** Who brought this client. */
export const getBringer = ({ document, registeredBy }: Client): ClientBringer =>
  document === undefined ? registeredBy : 'document'

/** How clients prove themselves. */
export const clientKinds = ['public', 'secret', 'keys'] as const
/** How a client proves itself: not at all, by a secret, or by a key or certificate. */
export type ClientKind = (typeof clientKinds)[number]

/** How this client proves itself. */
export const getClientKind = (client: Client): ClientKind => {
  if (isPublic(client)) return 'public'
  return client.secretDigest === null ? 'keys' : 'secret'
}

/** A list shows the clients that fit all of it. */
export interface ClientListFilter {
  /** `document`: the client is a metadata document. */
  readonly broughtBy?: ClientBringer
  readonly disabled?: boolean
}

/** Clients that fit all of it. */
export interface ClientFilter extends ClientListFilter {
  /** Each word (`listWords`) is the beginning of a word of the name or the `client_id`. */
  readonly search?: string
  readonly kind?: ClientKind
  /** The last token response, to an hour: not before this time. Unix seconds. */
  readonly usedSince?: number
  /** The last use: before this time, or none. */
  readonly usedBefore?: number
}

/**
 * The scope under which somebody was let in to a step on a client. Where the client has another one by
 * now, the step changes nothing and answers as if there were no such client.
 */
export type CheckedScope = Permissions

/** A decision about a secret, in case others know it. */
export interface KeptSecret {
  /** The ways to log in that stay; null: nothing was said. */
  readonly keep: readonly string[] | null
  /** A new secret, for one that does not stay. */
  readonly replacement: Pick<ClientChange, 'secretDigest' | 'sealedSecret'>
}

/** The outcome of giving a client more of the admin API. */
export type ClientRaised =
  | { readonly outcome: 'raised'; readonly client: Client; readonly isReplaced: boolean }
  /** Others may know the secret, or have set the keys. */
  | { readonly outcome: 'asks'; readonly way: string }
  | { readonly outcome: 'gone' }

/** The wrapped secrets of one client. */
export interface WrappedSecrets {
  readonly clientId: ClientId
  readonly secrets: readonly string[]
}

/** Steps on clients and their logos. */
export interface ClientSteps {
  findClient(id: ClientId, also?: 'disabled'): Promise<Client | null>
  /** A page with a filter examines a limited number of clients, so it may be short or empty. */
  listClients(after: string | null, limit: number, of?: ClientListFilter): Promise<Page<Client>>
  /** As `listOwnersBy`, with the `client_id` in place of the username. */
  listClientsBy(
    filter: ClientFilter,
    after: string | null,
    limit: number,
  ): Promise<FoundPage<Client>>
  /** Keeps the words of clients that an older version made, so many at most. Says of how many. */
  noteClientWords(due: WordsDue): Promise<number>
  /** @param secret `given`: others know it. The event tells so. */
  createClient(client: Client, trace: Trace, secret?: 'given'): Promise<'created' | 'taken'>
  /** Creates a client for a stranger, unless there are too many; what is refused is not counted. */
  registerClient(client: Client, quota: RegistrationQuota, trace: Trace): Promise<RegisterOutcome>
  /** A client that a stranger registered is kept for longer. */
  noteClientUse(id: ClientId, at: number): Promise<void>
  /** Clients of strangers that are due for a check of their use, and deleted ones. */
  listDueRegistrations(now: number, limit: number): Promise<readonly ClientId[]>
  /** The client is not due before then. */
  postponeRegistration(id: ClientId, until: number): Promise<void>
  /**
   * Removes a stranger's client if it was unused for long enough and has no authorization. An ended
   * authorization counts, too, since its owner may look it up. Its events are deleted as well, but for
   * those of operators, and `client.forgotten` is written. If some belong to an owner, all stay, and
   * `client.deleted` is written. A client that the operator took over stays, and its place is free.
   */
  removeIdleClient(id: ClientId, trace: Trace): Promise<'removed' | 'kept'>
  /**
   * Atomic: concurrent changes of different fields all hold, and so do added redirect URIs; with
   * too many of them, nothing is changed. Answers the client after the change. Notes the operator's
   * members of a client that registered itself. Another secret or method, disabling and a shorter
   * lifetime end the client's own tokens, by the new salt. So does taking a key or another proof away. Writes
   * `client.changed`, `client.secret_rotated` or `client.registration_revoked`.
   *
   * @param seen the client as the operator saw it. In any other state the step changes nothing, and
   *   answers as without a client
   */
  changeClient(
    id: ClientId,
    change: ClientChange,
    trace: Trace,
    checked?: CheckedScope,
    seen?: Client,
  ): Promise<Client | null>
  /**
   * The same for a change that gives permissions of the admin API. The step also ends the client's own tokens,
   * a kept old secret and the registration token. A secret made by another program of an operator, or by
   * the client itself, stays only by its name in `keep`. Keys, names of certificates and platforms stay only
   * so, too.
   */
  raiseClient(
    id: ClientId,
    change: ClientChange,
    secret: KeptSecret,
    trace: Trace,
    checked?: CheckedScope,
    seen?: Client,
  ): Promise<ClientRaised>
  /**
   * Ends the client's own tokens, and all codes and tokens of its owners, by new salts. What owners
   * approved stays. Tells `client.tokens_ended`.
   */
  endClientTokens(
    id: ClientId,
    salts: { readonly own: string; readonly family: string },
    trace: Trace,
    checked?: CheckedScope,
  ): Promise<Client | null>
  /**
   * A change by the client itself, a limited number a day. Writes `client.changed_itself` if
   * approvals do not hold any more.
   *
   * @param registration the digest of its registration token, which has to be in force
   */
  changeOwnClient(
    id: ClientId,
    registration: Digest,
    change: ClientChange,
    trace: Trace,
  ): Promise<OwnChange>
  /**
   * A newer copy of the document that a client is. The operator's members stay, and so does all of a
   * pinned one. Writes `client.changed_itself` if approvals do not hold any more: limited a day.
   *
   * @param fetched the client as the document describes it
   */
  keepClientDocument(fetched: Client, trace: Trace): Promise<KeptDocument>
  /** The wrapped secrets of clients that sign with them: the current one, and a kept old one. */
  listClientSecrets(after: string | null, limit: number): Promise<Page<WrappedSecrets>>
  /** Replaces those that are still as they were; answers how many. */
  rewrapClientSecrets(
    changes: readonly {
      readonly clientId: ClientId
      readonly from: string
      readonly secret: string
    }[],
  ): Promise<number>
  /** Whether owners are kept by this client, so that it cannot be deleted. */
  isKeepingOwners(clientId: ClientId): Promise<boolean>
  findClientLogo(clientId: ClientId): Promise<ClientLogo | null>
  /** Takes the place of the one before. False where there is no such client. */
  keepClientLogo(logo: ClientLogo): Promise<boolean>
  /**
   * Also ends every authorization for it. Where these and its items are many, `removeDeleted` removes
   * the rest; the id is taken until then. One that keeps owners stays: nobody would keep them.
   *
   * @param seen as for `changeClient`
   */
  deleteClient(id: ClientId, trace: Trace, checked?: CheckedScope, seen?: Client): Promise<boolean>
  /**
   * The same by the client itself.
   *
   * @param registration the digest of its registration token, which has to be in force
   */
  deleteOwnClient(id: ClientId, registration: Digest, trace: Trace): Promise<boolean>
}
