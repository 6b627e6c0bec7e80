/** `latchkey/store`: the contract of a store, for whoever writes one for another database. */

export type { Actor, Proven } from '../model/actor.ts'
export type { Authorization, Duration, Family, Pause, Standing } from '../model/authorization.ts'
export type { ClientOpenid, DocumentCopy } from '../model/client.ts'
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
  OneTimeCodes,
  Passkey,
  UpstreamAccount,
  UpstreamLink,
  WayIn,
} from '../model/factor.ts'
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
export type { JsonObject, JsonValue } from '../model/json.ts'
export type { KeptRefusal, ReceivedValue } from '../model/kept-refusal.ts'
export type {
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
export type { ClientLogo, PictureType } from '../model/picture.ts'
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
export type { FeedHead, Revocation, RevokedSubject } from '../model/revocation.ts'
export type { OwnWord, ScopeWord } from '../model/scope-word.ts'
export {
  type AuthenticationContext,
  type AuthenticationMethodReference,
  contextOf,
  type Session,
} from '../model/session.ts'
export {
  dayOf,
  type NotedUse,
  type Use,
  type UseAction,
  type UseDay,
  type Used,
} from '../model/use.ts'
export type { AccountSteps, Profile } from './contract/account.ts'
export type { Approval, ApproveOutcome, Proof } from './contract/approval.ts'
export type {
  AuthorizationSteps,
  ClientOfOwner,
  ListedAuthorization,
} from './contract/authorization.ts'
export type {
  CheckedScope,
  ClientListFilter,
  ClientRaised,
  ClientSearch,
  ClientSteps,
  KeptDocument,
  KeptSecret,
  NetworkBound,
  OwnChange,
  RegisterOutcome,
  RegistrationQuota,
} from './contract/client.ts'
export type { CountBatch, CountSteps } from './contract/count.ts'
export type { ActorFilter, EventFilter, EventOrder, EventSteps } from './contract/event.ts'
export type {
  ByOwner,
  Ceremony,
  FactorAdded,
  FactorSteps,
  Login,
  LoginConfirmation,
  LoginOutcome,
  UsedFactor,
  UsedPasskey,
} from './contract/factor.ts'
export type {
  EndedToken,
  FamilySteps,
  Redeemed,
  Redemption,
  Rotated,
  Rotation,
  StartedFamily,
} from './contract/family.ts'
export type { ItemSteps, PutItem, PutItemOutcome } from './contract/item.ts'
export type { KeySteps, Rewrapping, StoredKey, WrappedCodes } from './contract/key.ts'
export type { ClientLogin, LogoutNotice, LogoutSteps, NoticeClaim } from './contract/logout.ts'
export type { MailQueue, MailSteps } from './contract/mail.ts'
export type {
  AdmittedAttempt,
  AttemptCounter,
  AttemptRule,
  GuessingSteps,
  OwnerSearch,
  OwnerSteps,
  RolesGiven,
  SessionSteps,
  UsedLink,
} from './contract/owner.ts'
export type { RefusalBounds, RefusalFilter, RefusalSteps } from './contract/refusal.ts'
export type { RemovalSteps } from './contract/removal.ts'
export type { CreateResourceOutcome, ResourceSteps } from './contract/resource.ts'
export type { RevocationSteps } from './contract/revocation.ts'
export type { CheckedRoles, Page, Trace } from './contract/trace.ts'
export type { UpstreamLinked, UpstreamSteps } from './contract/upstream.ts'
export type { UseBatch, UseSteps, UsesOf } from './contract/use.ts'
export type {
  ClaimedDelivery,
  WebhookDelivery,
  WebhookQueue,
  WebhookSteps,
} from './contract/webhook.ts'
export { type FaultReason, StoreFault, StoreRefusal } from './fault.ts'
export { storeLimits } from './limits.ts'
export type {
  FactId,
  FactSteps,
  Retention,
  Store,
  StoreGauges,
  StoreRecords,
} from './store.ts'
