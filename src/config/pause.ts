/** Pausing applications: the setting for unused ones, and the limits. */
import type { SettingRows } from './setting.ts'
import { wholeNumber } from './values.ts'

export const pauseLimits = {
  /** A paused application is told to try again after so long. */
  retrySeconds: 5 * 60,
  /** The search for unused applications begins so often, and looks at so many authorizations in a turn. */
  searchSeconds: 3600,
  rowsInTurn: 500,
} as const

export const pauseSettings: SettingRows<{ pauseUnusedDays: number }> = {
  pauseUnusedDays: {
    environment: 'LATCHKEY_PAUSE_UNUSED_DAYS',
    flag: '--pause-unused-days <number>',
    parse: wholeNumber(0, 3650),
    fallback: 0,
    fallbackText: '0',
    meaning:
      'An application that its owner allowed is paused after so many days without a use. Its owner can resume it. 0 pauses none.',
    when: 'Forgotten applications should lose their access.',
    secret: false,
  },
}
