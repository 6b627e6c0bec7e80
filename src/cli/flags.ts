/** The flags of the settings, as the table of settings has them. */
import type { Command } from 'commander'
import { type SettingKey, settingsTable } from '../config/settings.ts'

const keys = Object.keys(settingsTable) as readonly SettingKey[]

/** Gives a command the flags of these settings, by default all, and `--config`. */
export const withSettingsFlags = (command: Command, of: readonly SettingKey[] = keys): Command => {
  command.option('--config <path>', 'The configuration file. (default: latchkey.config.json)')
  for (const key of of) {
    const { flag, meaning, fallbackText, environment } = settingsTable[key]
    if (flag === null) continue
    command.option(flag, `${meaning} (${environment}, default: ${fallbackText})`)
  }
  return command
}
