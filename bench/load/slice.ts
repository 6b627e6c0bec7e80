/** One slice of load: so many connections, each with one request under way, for so long. */
import { type Connection, connect } from './connection.ts'
import { createFlow, type Flow } from './flows.ts'
import type { Job, Outcome } from './job.ts'

/** Times in steps of 10 microseconds up to two seconds; what took longer counts as that. */
const binMilliseconds = 0.01
const bins = 200_000

/** So many wrong answers end a slice: it counts as zero anyway. */
const wrongEnough = 100

const percentile = (counts: Uint32Array, total: number, share: number): number => {
  let seen = 0
  for (let bin = 0; bin < counts.length; bin++) {
    seen += counts[bin] ?? 0
    if (seen >= total * share && seen > 0)
      return Math.round((bin + 1) * binMilliseconds * 100) / 100
  }
  return 0
}

interface Talker {
  readonly flow: Flow
  readonly connection: Connection
  /** When what is under way was begun, or should have been. */
  began: number
}

class Slice {
  readonly #job: Job
  readonly #counts = new Uint32Array(bins)
  readonly #idle: Talker[] = []
  readonly #talkers: Talker[] = []
  readonly #ended: () => void
  #under = 0
  #began = 0
  #last = 0
  #over = false
  #busy = 0
  #released = 0
  #asked = 0
  #done = 0
  #wrong = 0
  #firstWrong: string | null = null
  #longest = 0

  constructor(job: Job, ended: () => void) {
    this.#job = job
    this.#ended = ended
  }

  async open(): Promise<void> {
    for (let number = 0; number < this.#job.connections; number++) {
      const flow = createFlow(this.#job, number)
      let talker: Talker | null = null
      const connection = await connect(
        this.#job.target.port,
        (answer) => {
          if (talker === null) return
          const judged = talker.flow.heard(answer)
          if (judged === 'more') this.#say(talker)
          else this.#note(talker, judged === 'right' ? null : `${answer.head}\n\n${answer.body}`)
        },
        (why) => {
          if (talker !== null && !this.#over) this.#note(talker, why, false)
        },
      )
      talker = { flow, connection, began: 0 }
      this.#talkers.push(talker)
    }
  }

  begin(): void {
    this.#began = performance.now()
    this.#last = this.#began
    if (this.#job.awake) this.#watch(this.#began, 0)
    if (this.#job.rate === null) for (const talker of this.#talkers) this.#ask(talker)
    else this.#idle.push(...this.#talkers)
    if (this.#job.rate !== null) this.#pace(this.#job.rate)
    if (this.#under === 0 && this.#job.rate === null) this.#finish()
  }

  /** Turns the event loop without a rest, and adds up the turns in which something was heard. */
  #watch(since: number, heard: number): void {
    if (this.#over) return
    const now = performance.now()
    const answered = this.#done + this.#wrong
    if (answered > heard) this.#busy += now - since
    setImmediate(() => this.#watch(now, answered))
  }

  /** Lets as many go as are due by now; what had to wait for a connection waited all the same. */
  #pace(rate: number): void {
    const now = performance.now()
    if (now - this.#began >= this.#job.seconds * 1000) {
      if (this.#under === 0) this.#finish()
      else setTimeout(() => this.#pace(rate), 1)
      return
    }
    const due = Math.floor(((now - this.#began) / 1000) * rate)
    while (this.#released < due) {
      const talker = this.#idle.shift()
      if (talker === undefined) break
      this.#ask(talker, this.#began + (this.#released / rate) * 1000)
      this.#released++
    }
    setTimeout(() => this.#pace(rate), 1)
  }

  #ask(talker: Talker, since = performance.now()): void {
    talker.began = since
    this.#under++
    this.#say(talker)
  }

  #say(talker: Talker): void {
    const { most } = this.#job
    const isEnough = most !== null && this.#asked >= most
    this.#asked++
    const request = isEnough ? null : talker.flow.next()
    if (request === null) this.#rest()
    else talker.connection.send(request)
  }

  #rest(): void {
    this.#under--
    if (this.#under === 0 && this.#job.rate === null) this.#finish()
  }

  #note(talker: Talker, fault: string | null, goOn = true): void {
    const now = performance.now()
    const took = now - talker.began
    this.#last = now
    if (fault === null) {
      this.#done++
      this.#longest = Math.max(this.#longest, took)
      const bin = Math.min(Math.floor(took / binMilliseconds), bins - 1)
      this.#counts[bin] = (this.#counts[bin] ?? 0) + 1
    } else {
      this.#wrong++
      this.#firstWrong ??= fault.slice(0, 600)
    }
    const isLate = now - this.#began >= this.#job.seconds * 1000
    if (!goOn || this.#wrong >= wrongEnough) this.#rest()
    else if (this.#job.rate !== null) {
      this.#under--
      this.#idle.push(talker)
    } else if (isLate) this.#rest()
    else {
      talker.began = now
      this.#say(talker)
    }
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    for (const { connection } of this.#talkers) connection.close()
    this.#ended()
  }

  outcome(cpu: NodeJS.CpuUsage): Outcome {
    const seconds = (this.#last - this.#began) / 1000
    const { awake } = this.#job
    return {
      done: this.#done,
      wrong: this.#wrong,
      firstWrong: this.#firstWrong,
      seconds,
      p50: percentile(this.#counts, this.#done, 0.5),
      p99: percentile(this.#counts, this.#done, 0.99),
      longest: Math.round(this.#longest * 100) / 100,
      busy: (awake ? this.#busy : (cpu.user + cpu.system) / 1000) / 1000 / Math.max(seconds, 0.001),
      kept: this.#talkers.flatMap(({ flow }) => flow.kept),
    }
  }
}

export const runSlice = async (job: Job): Promise<Outcome> => {
  let ended = (): void => {}
  const over = new Promise<void>((resolve) => {
    ended = resolve
  })
  const slice = new Slice(job, ended)
  await slice.open()
  const before = process.cpuUsage()
  slice.begin()
  await over
  return slice.outcome(process.cpuUsage(before))
}
