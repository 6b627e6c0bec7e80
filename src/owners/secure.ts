/** Whether cookies travel over https only. */
import type { Parts } from '../parts.ts'

export const isSecure = (parts: Pick<Parts, 'settings'>): boolean =>
  parts.settings.issuer.startsWith('https:')
