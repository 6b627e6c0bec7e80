/** Whether cookies travel over https only. */
import type { Settings } from '../config/settings.ts'

export const isSecure = (parts: { readonly settings: Settings }): boolean =>
  parts.settings.issuer.startsWith('https:')
