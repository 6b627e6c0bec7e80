/** The findings of `latchkey doctor`: a weakness, and how to mend it. */

export interface Finding {
  /** A stable word for programs, such as `disk.space`. */
  readonly id: string
  /** `error`: something does not work, or is open to strangers. `warning`: it is weak. */
  readonly level: 'error' | 'warning'
  readonly finding: string
  readonly fix: string
}

export const problem = (id: string, finding: string, fix: string): Finding => ({
  id,
  level: 'error',
  finding,
  fix,
})

export const weakness = (id: string, finding: string, fix: string): Finding => ({
  id,
  level: 'warning',
  finding,
  fix,
})

/** The findings that apply. */
export const found = (...all: readonly (Finding | null | false)[]): readonly Finding[] =>
  all.filter((one) => one !== null && one !== false)
