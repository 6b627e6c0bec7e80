/** The values of `prompt` (OpenID Connect Core section 3.1.2.1), one row each. */

/** The effect of a value of `prompt`. */
export type PromptEffect =
  /** No page is shown. Where one is needed, the client gets a refusal. */
  | 'no_page'
  /** The owner logs in again. */
  | 'log_in'
  /** The owner is asked, even for what was approved before. */
  | 'consent'

/** A value of `prompt`. */
export interface PromptValue {
  readonly value: string
  readonly does: PromptEffect
  /** Whether it conflicts with every other value. */
  readonly alone: boolean
}

export const prompts: readonly PromptValue[] = [
  { value: 'none', does: 'no_page', alone: true },
  { value: 'login', does: 'log_in', alone: false },
  { value: 'consent', does: 'consent', alone: false },
  { value: 'select_account', does: 'log_in', alone: false },
]
