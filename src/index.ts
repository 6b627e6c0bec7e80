/** What the package exports: a service to run or to mount, and what a further grant type needs. */
export { type ClientMethod, invalidClient, type Presented } from './clients/methods/method.ts'
export { loadSettings, SettingsFault } from './config/load.ts'
export type { Settings } from './config/settings.ts'
export type { Grant, GrantRequest } from './grants/grant.ts'
export type { Parts } from './parts.ts'
export { Refusal } from './protocol/refusal.ts'
export { type Registries, RegistryFault } from './registries.ts'
export type { PromptEffect, PromptValue } from './requests/prompts.ts'
export type { Approved, ResponseType } from './responses/response.ts'
export {
  createServer,
  type Server,
  type ServerOptions,
  type Service,
  startService,
} from './server.ts'
export type { Earned } from './tokens/issue.ts'
