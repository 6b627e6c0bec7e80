/** Moves events that wait beside their owners before somebody reads events, and every second. */
import { readRunningTime } from '../../../clock.ts'
import { getFirstId } from '../../../model/ids.ts'
import { StoreFault } from '../../fault.ts'
import type { Call } from '../../sql/steps.ts'
import type { SeenWorkers } from '../../store.ts'
import type { Outbox, Query } from '../postgres/dialect.ts'
import { failed, isCancelled, refuse } from '../postgres/fault.ts'
import type { Line } from '../postgres/line.ts'
import type { Machines } from './machines.ts'
import { type Moves, openMoves, type Turn } from './moves.ts'

const everySecond = 1000
/** A reader waits for a move so long at most, and then reads what has come. */
const waitMilliseconds = 1000
/**
 * Moves leave dead rows, which stay while somebody reads an old state, such as a backup. So a look begins so long
 * before the last pass. Ids begin with the time of their request, and clocks differ.
 */
const settleSeconds = 300
/** So often a pass begins with the oldest, for the events of a node with a wrong clock. */
const fullSeconds = 600
/** After so long the operator is told that others have the turn. */
const turnSeconds = 60

interface Pass {
  /** With the oldest event of all, or of the last minutes. */
  readonly begin: 'oldest' | 'latest'
  readonly turn: Turn
  /** Whether machines are asked that rest. */
  readonly isTrying: boolean
}

/** Moves all, and knows how far. */
const openPasses = ({ moveAll, listResting }: Moves) => {
  /** Unix seconds: now, and when the last pass that left nothing and the last full one began. */
  let [now, movedAt, fullAt] = [0, 0, 0]
  let fault: string | null = null
  /** Found by the last full pass, or since. */
  let refused = 0
  /** Whether readers of all, and of one owner, wait for no move, until a pass has succeeded in time. */
  const resting = { all: false, keys: false }
  /** Unix seconds; null where this node had its turn. */
  let waitsSince: number | null = null
  const explain = (): string | null => {
    const away = listResting().join(', ')
    return away === '' ? null : `those at ${away} wait for it`
  }
  /** @returns whether it came to its end: another node may have the turn */
  const pass = async ({ begin, turn, isTrying }: Pass): Promise<boolean> => {
    const [began, begun] = [now, readRunningTime()]
    const isFull = movedAt === 0 || begin === 'oldest'
    const fullBefore = fullAt
    if (isFull) fullAt = began
    const after = isFull ? '' : getFirstId(Math.max(0, movedAt - settleSeconds) * 1000)
    try {
      const left = await moveAll({ after, turn, isTrying, isPatient: begin === 'oldest' })
      if (left === null) {
        fullAt = fullBefore
        waitsSince ??= began
        return false
      }
      waitsSince = null
      fault = explain()
      if (isFull || left > 0) refused = left
      if (fault === null && left === 0) movedAt = began
      resting.all = readRunningTime() - begun > waitMilliseconds
      resting.keys &&= resting.all
      return true
    } catch (error) {
      if (movedAt === 0 && began > 0 && isCancelled(error)) {
        // Dead rows make it slow. The latest do for now, and a full pass comes in the background.
        movedAt = began
        fullAt = 0
        return pass({ begin: 'latest', turn, isTrying })
      }
      fault = (error instanceof StoreFault ? error : failed('a move of events', error)).message
      resting.all = true
      throw error
    }
  }
  return {
    pass,
    noteTime(at: number): void {
      now = at
    },
    fault(): string | null {
      if (fault !== null) return fault
      if (refused > 0) return `the table of events refuses ${refused} of them`
      if (waitsSince !== null && now > waitsSince + turnSeconds)
        return 'another node, or a backup that begins, keeps the turn to move them'
      return resting.all || resting.keys ? 'a move takes longer than a second' : null
    },
    isFullDue: () => now >= fullAt + fullSeconds,
    resting,
  }
}

type Passes = ReturnType<typeof openPasses>

/** One after the other, since all have one connection. */
const openQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    add<Result>(work: () => Promise<Result>): Promise<Result> {
      const done = last.catch(() => {}).then(work)
      last = done
      return done
    },
    idle: (): Promise<unknown> => last.catch(() => {}),
  }
}

/** @returns whether the work is done; null after the time that a reader has. Never fails */
const isDone = (work: Promise<boolean>): Promise<boolean | null> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), waitMilliseconds)
    const settle = (done: boolean): void => {
      clearTimeout(timer)
      resolve(done)
    }
    work.then(settle, () => settle(false))
  })

/** Moves of one shard key. Readers of one moment share a move. */
const openKeys = ({ moveKey }: Moves) => {
  const queue = openQueue()
  const queued = new Map<number, Promise<boolean>>()
  return {
    idle: queue.idle,
    move(key: number): Promise<boolean> {
      const beside = queued.get(key)
      if (beside !== undefined) return beside
      const moving = queue.add(() => {
        // Who comes from here on may have seen later events.
        queued.delete(key)
        return moveKey(key)
      })
      queued.set(key, moving)
      return moving
    },
  }
}

/** Moves of all, one after the other. Readers of one moment share one. */
const openTurns = ({ pass, isFullDue }: Passes, outbox: Outbox) => {
  const queue = openQueue()
  let next: Promise<boolean> | null = null
  let turnOfNext: Turn = 'leave'
  /** So many of this node were written before a move of all. */
  let reached = 0
  /** @returns as `pass` */
  const move = (turn: Turn): Promise<boolean> => {
    if (turn === 'wait') turnOfNext = turn
    next ??= queue.add(async () => {
      const turn = turnOfNext
      next = null
      turnOfNext = 'leave'
      const written = outbox.countWritten()
      const isWhole = await pass({ begin: 'latest', turn, isTrying: false })
      if (isWhole) reached = written
      return isWhole
    })
    return next
  }
  return {
    move,
    isLeft: () => outbox.countWritten() > reached,
    idle: queue.idle,
    /** In the background. @param isTrying whether machines are asked that rest */
    catchUp(isTrying: boolean): Promise<boolean> {
      if (!isTrying && !isFullDue()) return move('leave')
      const begin = isFullDue() ? 'oldest' : 'latest'
      return queue.add(() => pass({ begin, turn: 'leave', isTrying }))
    },
  }
}

/** @param lines one for all, and one for single shard keys */
export const createMover = (lines: readonly [Line, Line], machines: Machines, outbox: Outbox) => {
  const moves = openMoves(machines, lines)
  const passes = openPasses(moves)
  const { resting, noteTime, fault } = passes
  const turns = openTurns(passes, outbox)
  const keys = openKeys(moves)
  let isPassing = false

  const waitForAll = async (): Promise<void> => {
    if (!(await isDone(turns.move('wait')))) resting.all = true
  }
  const waitForKey = async (key: number): Promise<void> => {
    if ((await isDone(keys.move(key))) === null) resting.keys = true
  }

  const seconds = setInterval(() => {
    if (turns.isLeft() || resting.all || resting.keys) turns.move('leave').catch(() => {})
  }, everySecond)
  seconds.unref()

  return {
    /** @param at unix seconds */
    noteTime,
    /** What stays at the machines, or why; null after a move of all. */
    fault,
    /** Told which machines are reached. Begins to move what waits. */
    note(seen: SeenWorkers): void {
      const isTrying = moves.note(seen)
      if (isTrying) resting.all = true
      // Of machines that hang, each takes a second, and looks may come faster.
      if (isPassing) return
      isPassing = true
      const passed = turns.catchUp(isTrying).catch(() => {})
      void passed.finally(() => {
        isPassing = false
      })
    },
    /**
     * Resolves once a read sees all events of earlier answers, or after a second. Never fails: the fault is told to
     * the operator. Null: at once.
     */
    before(query: Query): Promise<void> | null {
      const waiting = outbox.find(query)
      if (waiting === null) return null
      if (waiting !== 'all') return resting.keys ? null : waitForKey(waiting)
      return resting.all ? null : waitForAll()
    },
    /**
     * The same for a step, which decides by events. So the step is refused where no move succeeds. Events at
     * machines that rest stay behind.
     *
     * @throws StoreFault `busy`
     */
    async beforeStep(call: Call): Promise<void> {
      if (!outbox.isDue(call)) return
      const isWhole = await turns.move('wait').catch(() => false)
      if (!isWhole) throw refuse('unmoved')
      outbox.noteMoved(call)
    },
    async close() {
      clearInterval(seconds)
      await turns.move('wait').catch(() => {})
      await Promise.all([turns.idle(), keys.idle()])
      await Promise.all(lines.map((line) => line.close()))
    },
  }
}
