/** The flags of the settings, as the table of settings has them. */
import type { Command } from 'commander'
import { type SettingKey, settingKeys, settingsTable } from '../config/settings.ts'
import { describeFallback } from '../config/values.ts'

/** Gives a command the flags of these settings, by default all, and `--config`. */
export const withSettingsFlags = (
  command: Command,
  of: readonly SettingKey[] = settingKeys,
): Command => {
  command.option('--config <path>', 'The configuration file. (default: latchkey.config.json)')
  for (const key of of) {
    const { flag, meaning, environment } = settingsTable[key]
    if (flag === undefined) continue
    const fallback = describeFallback(settingsTable[key])
    command.option(flag, `${meaning} (${environment}, default: ${fallback})`)
  }
  return command
}
