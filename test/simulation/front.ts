/** The way from simulated clients to simulated nodes, on which everything asked and answered is written down. */
import type { Reachable } from '../support/browser.ts'
import { toldAnswer } from '../support/reference.ts'
import { type Answer, type Init, requestOf } from '../support/start.ts'
import type { Chance } from './chance.ts'
import type { Deed, Line, Operation, Result } from './history.ts'
import { type SimulatedNode, simulatedSettings } from './node.ts'
import type { Scheduler } from './scheduler.ts'
import type { Note } from './shared-store.ts'
import type { Proof } from './signing.ts'

/** The meaning of an answer for a deed; null if it was not about the deed at all. */
export interface Meaning {
  readonly result: Result
  readonly brought?: number | null
  readonly told?: readonly string[]
  readonly error?: string
}
export type Judge = (answer: Answer) => Meaning | null

export interface Claim {
  readonly deed: Deed
  readonly judge: Judge
}

/** What became of one request. */
export interface Outcome {
  /** Null: there is no answer. */
  readonly answer: Answer | null
  /** In the order of the claims. */
  readonly operations: readonly Operation[]
}

export interface Actor {
  readonly name: string
  readonly chance: Chance
}

/** Answers that promise nothing. */
const isOpen = ({ status }: Answer): boolean => status === 503 || status === 429

const visit: Claim = { deed: { kind: 'visit' }, judge: () => ({ result: 'yes' }) }

const longestWay = 20
const givesUpAfter = 60

export class Front {
  readonly operations: Operation[] = []
  readonly lines: Line[] = []
  readonly nodes: readonly SimulatedNode[]
  readonly scheduler: Scheduler
  /** How often a client does not get an answer that was sent. */
  loss = 0
  /** How many assertions and proofs were signed. */
  signed = 0
  /** The latest nonce of any node, and when it came. */
  nonce: { readonly text: string; readonly at: number } | null = null
  /** The latest proof for the token endpoint. */
  seen: { readonly proof: Proof; readonly at: number } | null = null
  readonly #note: Note
  #order = 0

  constructor(scheduler: Scheduler, nodes: readonly SimulatedNode[], note: Note) {
    this.scheduler = scheduler
    this.nodes = nodes
    this.#note = note
  }

  get seconds(): number {
    return this.scheduler.now / 1000
  }

  /** One request to a running node: the named one, or any. */
  async ask(
    actor: Actor,
    path: string,
    init: Init = {},
    claims: readonly Claim[] = [visit],
    at?: SimulatedNode,
  ): Promise<Outcome> {
    const { chance } = actor
    const node = at ?? (await this.#findNode(chance))
    const operations = claims.map((claim) => this.#begin(actor, node, claim, init, path))
    const said = `${init.method ?? (init.form ? 'POST' : 'GET')} ${path.split('?')[0]}`
    this.#note(
      () => `${actor.name} asks ${node.name}: ${said} ${operations.map(({ id }) => `#${id}`)}`,
    )
    const url = path.startsWith('http') ? path : simulatedSettings.issuer + path
    await this.scheduler.sleep(chance.next() * longestWay)
    const response = await node.fetch(requestOf(url, init), '127.0.0.1')
    const isLost = chance.flip(this.loss)
    if (response === null) return { answer: null, operations }
    const text = await response.text()
    await this.scheduler.sleep(chance.next() * longestWay)
    if (isLost) return { answer: null, operations }
    const { status } = response
    const isJson = response.headers.get('content-type')?.includes('json')
    const told = toldAnswer(response, text)
    const answer: Answer = isJson === true ? told : { ...told, body: undefined }
    this.#note(
      () => `${node.name} answers ${actor.name}: ${status} ${operations.map(({ id }) => `#${id}`)}`,
    )
    for (const [i, { judge }] of claims.entries()) {
      const operation = operations[i]
      if (operation !== undefined) this.#end(operation, answer, judge)
    }
    return { answer, operations }
  }

  async #findNode(chance: Chance): Promise<SimulatedNode> {
    for (let tries = 0; tries < givesUpAfter; tries++) {
      const up = this.nodes.filter(({ isUp }) => isUp)
      if (up.length > 0) return chance.pick(up)
      await this.scheduler.sleep(500)
    }
    throw new Error('no node comes up again')
  }

  #begin(actor: Actor, node: SimulatedNode, { deed }: Claim, init: Init, path: string): Operation {
    const operation: Operation = {
      id: this.operations.length,
      actor: actor.name,
      node: node.name,
      said: `${init.method ?? (init.form ? 'POST' : 'GET')} ${path.split('?')[0]}`,
      deed,
      invoked: this.#order++,
      answered: null,
      invokedAt: this.seconds,
      answeredAt: Number.POSITIVE_INFINITY,
      status: null,
      result: 'unknown',
      brought: null,
      told: null,
      error: null,
    }
    this.operations.push(operation)
    return operation
  }

  #end(operation: Operation, answer: Answer, judge: Judge): void {
    operation.answered = this.#order++
    operation.answeredAt = this.seconds
    operation.status = answer.status
    if (isOpen(answer)) return
    const meaning = judge(answer)
    if (meaning === null) operation.deed = visit.deed
    operation.result = meaning?.result ?? 'yes'
    operation.brought = meaning?.brought ?? null
    operation.told = meaning?.told ?? null
    operation.error = meaning?.error ?? null
  }

  /** A service as a browser needs it. `claimsOf` gives each request its claims. */
  reachable(
    actor: Actor,
    claimsOf: (path: string, init: Init) => readonly Claim[] | undefined,
    onOutcome: (outcome: Outcome) => void = () => {},
  ): Reachable {
    const ask = async (path: string, init: Init = {}): Promise<Answer> => {
      const outcome = await this.ask(actor, path, init, claimsOf(path, init))
      onOutcome(outcome)
      if (outcome.answer === null) throw new NoAnswer()
      return outcome.answer
    }
    return { issuer: simulatedSettings.issuer, ask, post: (path, form) => ask(path, { form }) }
  }
}

/** A browser that waits in vain. */
export class NoAnswer extends Error {}
