/**
 * Linearizability (Herlihy and Wing): one order of overlapping operations has to explain all
 * answers. An operation may not come before one that was answered before it began. One without an
 * answer happened at any later time, or never. The search is by Wing and Gong.
 */

export interface Step<Act> {
  readonly act: Act
  readonly invoked: number
  /** Null: nobody knows whether and when it happened. */
  readonly answered: number | null
}

/** All possible states after an act with this answer; none if the answer is impossible. */
export type Model<Act, State> = (state: State, act: Act) => readonly State[]

export type Verdict = 'linearizable' | 'impossible' | 'undecided'

const mostSteps = 50_000

export interface Specification<Act, State> {
  readonly initial: State
  readonly model: Model<Act, State>
  /** Whether an act changes nothing, whatever the state. */
  readonly isRead: (act: Act) => boolean
  /** Tells states apart. */
  readonly nameOf: (state: State) => string
}

export const checkLinearizable = <Act, State>(
  steps: readonly Step<Act>[],
  { initial, model, isRead, nameOf }: Specification<Act, State>,
): Verdict => {
  const ordered = steps.toSorted((a, b) => a.invoked - b.invoked)
  const seen = new Set<string>()
  let looked = 0

  /** @param done one bit for each step that has its place in the order */
  const search = (done: bigint, state: State): boolean => {
    const key = `${done}/${nameOf(state)}`
    if (seen.has(key)) return false
    seen.add(key)
    if (++looked > mostSteps) return false
    const left = ordered.flatMap((step, i) => {
      const bit = 1n << BigInt(i)
      return (done & bit) === 0n ? [{ ...step, bit }] : []
    })
    // Whatever was asked after the first of the missing answers cannot be next.
    const horizon = Math.min(...left.map(({ answered }) => answered ?? Number.POSITIVE_INFINITY))
    if (horizon === Number.POSITIVE_INFINITY) return true
    const candidates = left.filter(({ invoked }) => invoked <= horizon)
    // A read that fits now may as well come now, for it changes nothing for the others.
    const read = candidates.find(({ act }) => isRead(act) && model(state, act).length > 0)
    if (read !== undefined) return search(done | read.bit, state)
    return candidates.some(({ act, bit }) =>
      model(state, act).some((after) => search(done | bit, after)),
    )
  }
  if (search(0n, initial)) return 'linearizable'
  return looked > mostSteps ? 'undecided' : 'impossible'
}
