/** Shrinks a failed run: actors that it does not need are left out. */
import { type Run, type RunOptions, simulate, type Theatre } from './run.ts'

export interface Shrunk {
  readonly run: Run
  readonly without: readonly string[]
}

/** Leaves out one actor after another, for as long as the run still goes wrong. */
export const shrink = async (
  theatre: Theatre,
  run: Run,
  options: Omit<RunOptions, 'seed'>,
): Promise<Shrunk> => {
  let best: Shrunk = { run, without: options.without ?? [] }
  for (const actor of run.actors) {
    const without = [...best.without, actor]
    const { seed } = run
    const smaller = await simulate(theatre, { ...options, seed, without })
    if (smaller.findings.length > 0) best = { run: smaller, without }
  }
  return best
}
