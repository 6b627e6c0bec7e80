/** The settings: one row each, with its environment variable, default and meaning. */
import type { Resource } from '../model/resource.ts'

export interface Settings {
  readonly port: number
  readonly host: string
  /** `{base_url}`: no trailing slash. */
  readonly issuer: string
  /** `sqlite:PATH`. */
  readonly store: string
  readonly demo: boolean
  /** Wraps the sealing keys at rest; null = a key file beside the embedded database. */
  readonly secret: string | null
  /** Whoever presents it may register a client outside the demo; null = nobody may. */
  readonly registrationToken: string | null
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  readonly accessTokenSeconds: number
  readonly refreshTokenSeconds: number
  readonly sessionSeconds: number
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly resources: readonly Resource[]
}
