/** One setting: its environment variable, flag, default and meaning. */
import type { Parse } from './values.ts'

/** How one setting is given. Its key is its name in the configuration file. */
export interface Setting<Value> {
  /** Null where only the file can give it. */
  readonly environment: string | null
  /**
   * The flag on the command line; null without one. Secrets have none, since `ps` would show it.
   */
  readonly flag: string | null
  readonly parse: Parse<Value>
  /** Absent where it follows from other settings: then `fallbackText` says how. */
  readonly fallback?: Value
  readonly fallbackText: string
  readonly meaning: string
  /** When an operator sets it. A setting without an answer is a constant. */
  readonly when: string
  /** Never shown, and may be given as the path of a file (`..._FILE`). */
  readonly secret: boolean
}

/** Settings with these values, one row each. */
export type SettingRows<Values> = { readonly [Key in keyof Values]: Setting<Values[Key]> }
