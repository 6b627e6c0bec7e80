/** `latchkey`: runs or mounts the service in a program of your own, and adds grant types to it. */
import './config/node-version.ts'

export type { ExtensionCredentials, ExtensionMethod } from './clients/methods/extension.ts'
export type { Logo } from './config/brand.ts'
export type { LdapSettings } from './config/ldap-upstream.ts'
export { loadSettings, SettingsFault } from './config/load.ts'
export type { UpstreamCommon } from './config/members.ts'
export type { Oauth2Settings } from './config/oauth2-upstream.ts'
export type { LimitName, Limits } from './config/settable-limits.ts'
export type {
  MetricsPlace,
  MonitoringSettings,
  SettingOrigin,
  Settings,
} from './config/settings.ts'
export type { Sources } from './config/sources.ts'
export type { OidcSettings, UpstreamSettings } from './config/upstreams.ts'
export type { WebhookSettings } from './config/webhooks.ts'
export {
  createServer,
  type EmbeddedServer,
  type EmbeddedService,
  type EmbedOptions,
  startService,
} from './embed.ts'
export type {
  ExtensionClient,
  ExtensionGrant,
  ExtensionOwner,
  ExtensionRequest,
  ExtensionResult,
  ExtensionServices,
} from './grants/extension.ts'
export type { Duration } from './model/authorization.ts'
export type { Clock, OwnerId } from './model/ids.ts'
export type { Language, LanguageFile, Text } from './model/language.ts'
export type { Notice, Tell } from './model/notice.ts'
export type { Action, Permission, Permissions, Resource, ScopeName } from './model/resource.ts'
export type {
  ApiPermission,
  ClientPermission,
  OwnClaims,
  OwnWord,
  ScopeWord,
} from './model/scope-word.ts'
export { Parameters } from './protocol/parameters.ts'
export {
  type ErrorCode,
  Refusal,
  type RefusalDetails,
  type RefusalNote,
} from './protocol/refusal.ts'
export { RegistryFault } from './registries.ts'
export type { PromptEffect, PromptValue } from './requests/prompts.ts'
export type { ExtensionApproval, ExtensionResponseType } from './responses/extension.ts'
export { StoreFault, StoreRefusal } from './store/fault.ts'
