/** `latchkey/store`: the contract of a store, for whoever writes one for another database. */

export type * from '../features/client.ts'
export type { Actor, Proven } from '../model/actor.ts'
export type {
  AllowedBy,
  Authorization,
  Duration,
  Family,
  Pause,
  Standing,
} from '../model/authorization.ts'
export type {
  ClientIdentity,
  ClientOpenid,
  DocumentCopy,
  FederatedCredential,
} from '../model/client.ts'
export {
  type Client,
  type ClientChange,
  type ClientDisplay,
  isOnItsOwn,
  type OldSecret,
} from '../model/client.ts'
export type { Event, EventType } from '../model/event.ts'
export type {
  Factors,
  LinkMaker,
  NewUpstreamLink,
  OneTimeCodes,
  Passkey,
  UpstreamAccount,
  UpstreamLink,
  WayIn,
} from '../model/factor.ts'
export type { StoredGroup } from '../model/group.ts'
export {
  type AuthorizationId,
  type ClientId,
  type ClientSession,
  type Digest,
  type EventId,
  type FamilyId,
  type GroupId,
  getFirstId as firstIdAt,
  type Holder,
  holderOfOwner,
  type ItemId,
  idBefore,
  type MailId,
  type OwnerId,
  type PasskeyId,
  type SessionHandle,
  type SessionId,
} from '../model/ids.ts'
export type { Condition, Item } from '../model/item.ts'
export type { JsonObject, JsonValue } from '../model/json.ts'
export type { KeptRefusal, ReceivedValue } from '../model/kept-refusal.ts'
export type {
  ClientKey,
  JwsAlgorithm,
  KeyAlgorithm,
  KeyUse,
  PublicKey,
  SigningAlgorithm,
} from '../model/key.ts'
export type { MailKind, QueuedMail } from '../model/mail.ts'
export type { CountedThing, CountKind, CountSpan, KeptCount } from '../model/metric.ts'
export {
  type Owner,
  type OwnerChange,
  type OwnerClaims,
  type PageChoices,
  usernameKey,
} from '../model/owner.ts'
export type { ClientLogo, OwnerPicture, PictureType } from '../model/picture.ts'
export type { SecurityProfile } from '../model/profile.ts'
export {
  type ApprovedFor,
  describeRequester,
  isApprovedFor as holdsFor,
  mergeApproved as approvedAfter,
  type Requester,
  type RequesterChange,
  requesterChange,
} from '../model/requester.ts'
export type {
  Action,
  Permission,
  Permissions,
  Resource,
  ResourceChange,
  ScopeName,
} from '../model/resource.ts'
export type { FeedHead, Revocation, RevokedSubject } from '../model/revocation.ts'
export type { ApiPermission, ClientPermission, OwnWord, ScopeWord } from '../model/scope-word.ts'
export {
  type AuthenticationContext,
  type AuthenticationMethodReference,
  deriveContext as contextOf,
  type Session,
} from '../model/session.ts'
export {
  computeDay as dayOf,
  type NotedUse,
  type Use,
  type UseAction,
  type UseDay,
  type Used,
} from '../model/use.ts'
export { getBringer, getClientKind } from './contract/client.ts'
export { listWords } from './contract/search-words.ts'
export { type FaultReason, StoreFault, StoreRefusal } from './fault.ts'
export { storeLimits } from './limits.ts'
export type * from './store.ts'
