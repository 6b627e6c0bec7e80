/** The findings of `latchkey doctor`: a weakness, and how to mend it. */

/** From where on `latchkey doctor` finds something weak. */
export const doctorLimits = {
  /** How long the issuer may take to answer. */
  answerMilliseconds: 5000,
  /** A difference of clocks. */
  skewSeconds: 60,
  /** A certificate is renewed so long before its end. */
  certificateDays: 14,
  /** Free bits of a range that the service may fetch from: 256 addresses. */
  fetchBits: 8,
  /** Files that a process may open. */
  openFiles: 4096,
  /** Free room on the disk of the database. */
  freeBytes: 1024 ** 3,
  freePart: 0.05,
  /** With less, writes fail soon. */
  leastFreeBytes: 256 * 1024 ** 2,
  /** A write-ahead log that makes a start slow. */
  writeAheadBytes: 1024 ** 3,
  /** Connections to PostgreSQL beside those of two nodes: commands, backups and monitoring. */
  furtherConnections: 5,
  /** How long a refusal may take until the service has written it. */
  refusalSeconds: 6,
  /** Applications that are looked at. */
  clients: 2000,
} as const

export interface Finding {
  /** A stable word for programs, such as `disk.space`. */
  readonly id: string
  /** `error`: something does not work, or is open to strangers. `warning`: it is weak. */
  readonly level: 'error' | 'warning'
  readonly finding: string
  readonly fix: string
}

export const makeProblem = (id: string, finding: string, fix: string): Finding => ({
  id,
  level: 'error',
  finding,
  fix,
})

export const makeWeakness = (id: string, finding: string, fix: string): Finding => ({
  id,
  level: 'warning',
  finding,
  fix,
})

/** The findings that apply. */
export const listFound = (
  ...all: readonly (Finding | readonly Finding[] | null | false)[]
): readonly Finding[] => all.filter((one) => one !== null && one !== false).flat()
