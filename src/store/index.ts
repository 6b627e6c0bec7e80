/** `latchkey/store`: the contract of a store, for whoever writes one for another database. */

export type { Actor, Proven } from '../model/actor.ts'
export type { Authorization, Duration, Family, Pause, Standing } from '../model/authorization.ts'
export {
  type Client,
  type ClientChange,
  type ClientDisplay,
  isOnItsOwn,
  type OldSecret,
} from '../model/client.ts'
export type { DocumentCopy } from '../model/client-document.ts'
export type * from '../model/client-logo.ts'
export type { ClientOpenid } from '../model/client-openid.ts'
export type { CountedThing, CountKind, CountSpan, KeptCount } from '../model/count.ts'
export type { Event, EventType } from '../model/event.ts'
export type { Factors, OneTimeCodes, Passkey } from '../model/factor.ts'
export {
  type AuthorizationId,
  type ClientId,
  type ClientSession,
  type Digest,
  type EventId,
  type FamilyId,
  firstIdAt,
  type ItemId,
  idBefore,
  type MailId,
  type OwnerId,
  type PasskeyId,
  type SessionHandle,
  type SessionId,
} from '../model/ids.ts'
export { type Condition, type Holder, holderOfOwner, type Item } from '../model/item.ts'
export type * from '../model/json.ts'
export type { KeptRefusal, ReceivedValue } from '../model/kept-refusal.ts'
export type {
  JwsAlgorithm,
  KeyAlgorithm,
  KeyUse,
  PublicKey,
  SigningAlgorithm,
} from '../model/key.ts'
export type { MailKind, QueuedMail } from '../model/mail.ts'
export type { OwnWord } from '../model/own-word.ts'
export {
  type Owner,
  type OwnerChange,
  type OwnerClaims,
  type PageChoices,
  usernameKey,
} from '../model/owner.ts'
export type { PictureType } from '../model/picture.ts'
export {
  type ApprovedFor,
  approvedAfter,
  describeRequester,
  holdsFor,
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
export type * from '../model/revocation.ts'
export type { ScopeWord } from '../model/scope-word.ts'
export {
  type AuthenticationContext,
  type AuthenticationMethodReference,
  contextOf,
  type Session,
} from '../model/session.ts'
export type * from '../model/upstream.ts'
export {
  dayOf,
  type NotedUse,
  type Use,
  type UseAction,
  type UseDay,
  type Used,
} from '../model/use.ts'
export type * from '../model/way-in.ts'
export { type FaultReason, StoreFault, StoreRefusal } from './fault.ts'
export { storeLimits } from './limits.ts'
export type * from './store.ts'
