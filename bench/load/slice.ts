/** One slice of load: so many connections, each with one request under way, for so long. */
import { type Connection, connect } from './connection.ts'
import { createFlow, type Flow } from './flows.ts'
import type { Job, Outcome } from './job.ts'
import { Times } from './times.ts'

/** So many wrong answers end a slice: it counts as zero anyway. */
const wrongEnough = 100

/** An answer that takes so long beyond the end of a slice will not come. */
const patienceSeconds = 30

interface Talker {
  readonly flow: Flow
  readonly connection: Connection
  /** When what is under way was begun, or should have been. */
  began: number
  isUnder: boolean
}

class Slice {
  readonly #job: Job
  readonly #times = new Times()
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
  #wrong = 0
  #firstWrong: string | null = null

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
          if (talker !== null) this.#lose(talker, why)
        },
      )
      talker = { flow, connection, began: 0, isUnder: false }
      this.#talkers.push(talker)
    }
  }

  begin(): void {
    if (this.#over) return
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
    const answered = this.#times.total + this.#wrong
    if (answered > heard) this.#busy += now - since
    setImmediate(() => this.#watch(now, answered))
  }

  /** Lets as many go as are due by now; what had to wait for a connection waited all the same. */
  #pace(rate: number): void {
    if (this.#over) return
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
    talker.isUnder = true
    this.#under++
    this.#say(talker)
  }

  #say(talker: Talker): void {
    const { most } = this.#job
    const isEnough = most !== null && this.#asked >= most
    this.#asked++
    const request = isEnough ? null : talker.flow.next()
    if (request === null) this.#rest(talker)
    else talker.connection.send(request)
  }

  #rest(talker: Talker): void {
    talker.isUnder = false
    this.#under--
    if (this.#under === 0 && this.#job.rate === null) this.#finish()
  }

  /** A connection that has ended. Whoever has nothing left to ask does not miss it. */
  #lose(talker: Talker, why: string): void {
    const isMissed = talker.isUnder || this.#began === 0 || this.#idle.includes(talker)
    if (isMissed && !this.#over) this.fail(why)
  }

  #blame(fault: string): void {
    this.#wrong++
    this.#firstWrong ??= fault.slice(0, 600)
  }

  #note(talker: Talker, fault: string | null): void {
    const now = performance.now()
    this.#last = now
    if (fault === null) this.#times.add(now - talker.began)
    else this.#blame(fault)
    const isLate = now - this.#began >= this.#job.seconds * 1000
    if (this.#wrong >= wrongEnough) this.#rest(talker)
    else if (this.#job.rate !== null) {
      this.#rest(talker)
      this.#idle.push(talker)
    } else if (isLate) this.#rest(talker)
    else {
      talker.began = now
      this.#say(talker)
    }
  }

  /** Ends it, and it counts as wrong. */
  fail(why: string): void {
    this.#blame(why)
    this.#finish()
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
      done: this.#times.total,
      wrong: this.#wrong,
      firstWrong: this.#firstWrong,
      seconds,
      p50: this.#times.within(0.5),
      p99: this.#times.within(0.99),
      longest: this.#times.longest,
      busy: (awake ? this.#busy : (cpu.user + cpu.system) / 1000) / 1000 / Math.max(seconds, 0.001),
      kept: this.#talkers.flatMap(({ flow }) => flow.kept),
    }
  }
}

export const runSlice = async (job: Job): Promise<Outcome> => {
  const { promise: over, resolve: ended } = Promise.withResolvers<void>()
  const slice = new Slice(job, ended)
  const silence = `no answer came for ${patienceSeconds} seconds after the end`
  const patience = setTimeout(() => slice.fail(silence), (job.seconds + patienceSeconds) * 1000)
  await slice.open().catch((fault: Error) => slice.fail(fault.message))
  const before = process.cpuUsage()
  slice.begin()
  await over
  clearTimeout(patience)
  return slice.outcome(process.cpuUsage(before))
}
