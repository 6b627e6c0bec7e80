/** Signing keys: the setting for their rotation, and the limits. */
import type { SettingRows } from './setting.ts'
import { wholeNumber } from './values.ts'

export const signingKeyLimits = {
  /** Others keep a key for a while after the last token under it has ended. */
  keepAfterEndSeconds: 24 * 3600,
  /** So much longer is noted at once, so that not every token makes the store write. */
  keepAheadSeconds: 24 * 3600,
} as const

export const signingKeySettings: SettingRows<{ keyRotationDays: number }> = {
  keyRotationDays: {
    environment: 'LATCHKEY_KEY_ROTATION_DAYS',
    flag: '--key-rotation-days <number>',
    parse: wholeNumber(1, 3650),
    fallback: 90,
    fallbackText: '90',
    meaning:
      'A new signing key of each algorithm after so many days. It is published an hour before its first use. The old one stays until a day after the last token under it has ended.',
    secret: false,
  },
}
