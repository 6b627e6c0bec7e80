/** One simulated node: a whole service with a clock of its own, which may crash and come back. */
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'
import type { Hashing } from '../../src/crypto/password.ts'
import type { Notice } from '../../src/model/notice.ts'
import { createServer, type Server } from '../../src/server.ts'
import type { Database } from '../../src/store/sql/database.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import type { Chance } from './chance.ts'
import type { Scheduler } from './scheduler.ts'
import type { Link } from './shared-store.ts'

/** Argon2 takes its own time on other threads; in a simulation nothing may. */
export const simulatedPasswords: Hashing = {
  hash: async (password) => `simulated ${password}`,
  verify: async (stored, password) => stored === `simulated ${password}`,
}

export const simulatedSettings: Settings = {
  ...loadSettings({ env: {}, flags: {}, cwd: '/' }),
  issuer: 'http://127.0.0.1:6749',
  demo: true,
}

export interface Place {
  readonly scheduler: Scheduler
  readonly chance: Chance
  readonly database: (link: Link) => Database
  readonly tell: (notice: Notice) => void
  readonly latency: number
}

const tickMilliseconds = 1000
const restMilliseconds = 500

export class SimulatedNode {
  readonly name: string
  readonly link: Link
  /** How far its clock is ahead of the slowest clock that is allowed. */
  aheadMilliseconds = 0
  readonly #place: Place
  #server: Server | null = null
  #lose: () => void = () => {}
  #lost: Promise<null> = Promise.resolve(null)

  constructor(name: string, place: Place) {
    this.name = name
    this.#place = place
    this.link = { name, connected: true, failing: 0, latency: place.latency, life: 0 }
  }

  get isUp(): boolean {
    return this.#server !== null
  }

  /** Starts it, again and again where the store cannot be reached. */
  async start(): Promise<void> {
    const { scheduler, chance, database, tell } = this.#place
    const life = ++this.link.life
    while (this.link.life === life) {
      try {
        const server = await createServer({
          settings: simulatedSettings,
          clock: () => Math.floor(scheduler.now) + this.aheadMilliseconds,
          pause: (milliseconds) => scheduler.sleep(milliseconds),
          random: (bytes) => chance.bytes(bytes),
          store: createSqlStore(database(this.link)),
          passwords: simulatedPasswords,
          tell,
        })
        this.#lost = new Promise((resolve) => {
          this.#lose = () => resolve(null)
        })
        this.#server = server
        this.#tick(life)
        return
      } catch (error) {
        if (!(error instanceof Error && error.name === 'StoreFault')) throw error
        await scheduler.sleep(restMilliseconds)
      }
    }
  }

  #tick(life: number): void {
    if (this.link.life !== life) return
    void this.#server?.tick()
    this.#place.scheduler.after(tickMilliseconds, () => this.#tick(life))
  }

  /** Nothing that is under way is ever answered. */
  crash(): void {
    this.link.life++
    this.#server = null
    this.#lose()
  }

  /** Null: there is no answer. */
  async fetch(request: Request, peer: string): Promise<Response | null> {
    if (this.#server === null) return null
    return Promise.race([this.#server.fetch(request, peer), this.#lost])
  }
}
