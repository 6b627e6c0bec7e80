/** Signing keys: the setting for their rotation. */
import type { SettingsTable } from './settings.ts'
import { wholeNumber } from './values.ts'

export const signingKeySettings: Pick<SettingsTable, 'keyRotationDays'> = {
  keyRotationDays: {
    environment: 'LATCHKEY_KEY_ROTATION_DAYS',
    flag: '--key-rotation-days <number>',
    parse: wholeNumber(1, 3650),
    fallback: 90,
    fallbackText: '90',
    meaning:
      'A new signing key of each algorithm after so many days. It is published an hour before its first use. The old one stays until a day after the last token under it has ended.',
    when: 'A rule names a time, or an API keeps keys for longer than a day.',
    secret: false,
  },
}
