/** Settings of an upstream of any type. */
import type { Text } from '../model/language.ts'

/** What every upstream has. */
export interface UpstreamCommon {
  readonly id: string
  /** On the button. */
  readonly title: Text
  /** What it says of an email address counts. */
  readonly trustEmail: boolean
  /** Its people may make accounts here, whatever the setting `signUp` says. */
  readonly signUp: boolean
}
