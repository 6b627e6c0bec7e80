/** Logs why access tokens cannot be checked: each problem once, until a check succeeds again. */

/** Takes one line without a secret in it. */
export type TakeLine = (line: string) => void

// biome-ignore lint/suspicious/noConsole: a program that passes no log must still show the problem.
export const consoleLog: TakeLine = (line) => console.error(line)

export interface ProblemLog {
  /** Logs the problem unless it was the last one logged. */
  report(problem: string): void
  /** A check succeeded: the next problem is logged again. */
  clear(): void
}

export const createProblemLog = (log: TakeLine): ProblemLog => {
  let last: string | null = null
  return {
    report(problem) {
      if (problem === last) return
      last = problem
      log(`latchkey/resource: ${problem}`)
    },
    clear() {
      last = null
    },
  }
}
