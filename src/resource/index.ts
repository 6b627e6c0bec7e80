/** `latchkey/resource`: guards an API of your own with access tokens of a Latchkey service (RFC 6750). */
export type { RemoteAccess } from './introspection.ts'
export type { Needs, ProtectOptions, TakeLine } from './options.ts'
export { type AnswerAdmitted, type Guard, protect } from './protect.ts'
export type { RouteTarget, RouteWords } from './route-target.ts'
