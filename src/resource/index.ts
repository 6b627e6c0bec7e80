/** `latchkey/resource`: guards an API of your own with access tokens of a Latchkey service (RFC 6750). */
export type { HttpRequest } from '../http/request.ts'
export { Parameters } from '../protocol/parameters.ts'
export { type ErrorCode, Refusal, type RefusalDetails } from '../protocol/refusal.ts'
export {
  type Allowed,
  type AnswerAdmitted,
  createGuard,
  type Guard,
  type GuardOptions,
  type Verify,
} from './guard.ts'
export type { TakeLine } from './problem-log.ts'
export { type IntrospectionOptions, type RemoteAccess, verifyByIntrospection } from './remote.ts'
