/** `latchkey/resource`: guards an API of one's own with access tokens of a Latchkey service (RFC 6750). */
export { Parameters } from '../protocol/parameters.ts'
export { Refusal } from '../protocol/refusal.ts'
export { type PresentedToken, readBearer } from './bearer.ts'
export {
  type Admitted,
  type Allowed,
  type AnswerAdmitted,
  admit,
  createGuard,
  type Guard,
  type GuardOptions,
  type Verify,
} from './guard.ts'
export { type IntrospectionOptions, type RemoteAccess, verifyByIntrospection } from './remote.ts'
