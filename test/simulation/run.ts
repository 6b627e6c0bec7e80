/** One simulated run: everything in it follows from its seed, so that it can be had again exactly. */
import type { Notice } from '../../src/model/notice.ts'
import {
  accountHolder,
  application,
  inspector,
  operator,
  type Stage,
  television,
  weather,
} from './actors.ts'
import { audit, type Finding } from './audit.ts'
import { type Chance, chanceOf } from './chance.ts'
import { type Actor, Front } from './front.ts'
import { drawGuest } from './guests/index.ts'
import type { History } from './history.ts'
import { SimulatedNode } from './node.ts'
import { beginning, clients, type Person, settle } from './people.ts'
import { Scheduler } from './scheduler.ts'
import {
  createMemory,
  createSharedStore,
  type Flaws,
  type Isolation,
  type Memory,
  type Note,
} from './shared-store.ts'

/** What all runs begin with; each leaves it as it found it. */
export interface Theatre {
  readonly memory: Memory
  readonly people: readonly Person[]
}

export const openTheatre = async (): Promise<Theatre> => {
  const memory = createMemory()
  return { memory, people: await settle(memory) }
}

export interface RunOptions extends Flaws {
  readonly seed: number
  /** Actors that are left out, to see whether it goes wrong without them too. */
  readonly without?: readonly string[]
  /** Told of every event. */
  readonly write?: (text: string) => void
}

export interface Run {
  readonly seed: number
  readonly isolation: Isolation
  readonly history: History
  readonly findings: readonly Finding[]
  readonly actors: readonly string[]
  readonly events: number
  readonly simulatedSeconds: number
}

interface Plan {
  readonly isolation: Isolation
  readonly isCalm: boolean
  readonly failing: number
  readonly loss: number
  readonly think: number
  readonly ahead: readonly number[]
}

const planOf = (chance: Chance): Plan => {
  const isCalm = chance.flip(0.3)
  return {
    isolation: chance.pick(['whole', 'turns']),
    isCalm,
    failing: isCalm ? 0 : chance.pick([0, 0.01, 0.04]),
    loss: isCalm ? 0 : chance.pick([0, 0.05]),
    think: chance.pick([30, 300, 3000, 12_000]),
    ahead: [chance.pick([0, 0, 10_000]), chance.below(10_001)],
  }
}

const latency = 4

/** Who takes part, by name. */
const castOf = (chance: Chance, stage: Stage, seed: number) => {
  const cast = new Map<string, (actor: Actor) => Promise<void>>()
  const withSecret = stage.clients.filter(({ secret }) => secret !== null)
  const signer = stage.clients.find(({ secret }) => secret === null)
  for (let i = 1 + chance.below(2); i > 0; i--) {
    const [owner, client] = [chance.pick(stage.people), chance.pick(withSecret)]
    cast.set(`application ${i}`, (actor) => application(stage, actor, owner, client))
  }
  const owner = chance.pick(stage.people)
  if (chance.flip(0.5)) cast.set('owner', (actor) => accountHolder(stage, actor, owner))
  if (chance.flip(0.4)) cast.set('operator', (actor) => operator(stage, actor))
  if (signer !== undefined && chance.flip(0.4)) {
    const holder = chance.pick(stage.people)
    cast.set('signer', (actor) => application(stage, actor, holder, signer))
  }
  if (chance.flip(0.3)) {
    const watcher = chance.pick(stage.people)
    cast.set('television', (actor) => television(stage, actor, watcher))
  }
  const guest = drawGuest(seed)
  for (const [name, act] of guest?.invite(stage, chance.fork('guest')) ?? []) cast.set(name, act)
  return cast
}

const play = async (
  chance: Chance,
  plan: Plan,
  stage: Stage,
  { seed, without = [] }: Pick<RunOptions, 'seed' | 'without'>,
): Promise<readonly string[]> => {
  const { front } = stage
  const actorOf = (name: string): Actor => ({ name, chance: chance.fork(name) })
  await Promise.all(front.nodes.map((node) => node.start()))
  const whole = castOf(chance.fork('cast'), stage, seed)
  const cast = [...whole].filter(([name]) => !without.includes(name))
  let isOver = plan.isCalm || without.includes('weather')
  const stormy = weather(stage, actorOf('weather'), () => isOver)
  for (const { link } of front.nodes) link.failing = plan.failing
  front.loss = plan.loss
  await Promise.all(cast.map(([name, act]) => act(actorOf(name))))
  isOver = true
  front.loss = 0
  for (const { link } of front.nodes) link.failing = 0
  await stormy
  await inspector(stage, actorOf('inspector'))
  await drawGuest(seed)?.inspect?.(stage)
  return [...cast.map(([name]) => name), ...(plan.isCalm ? [] : ['weather'])]
}

interface Staging extends Flaws {
  readonly chance: Chance
  readonly isolation: Isolation
  /** Typical milliseconds that somebody thinks. */
  readonly think: number
  readonly write: ((text: string) => void) | undefined
}

/** Two nodes on one store, as they are at first; whatever `script` does is taken back afterwards. */
export const onStage = async <Result>(
  { memory, people }: Theatre,
  { chance, isolation, think, write, ...flaws }: Staging,
  script: (stage: Stage, faults: readonly string[]) => Promise<Result>,
): Promise<Result> => {
  const scheduler = new Scheduler(beginning)
  const note: Note = (text) =>
    write?.(`${((scheduler.now - beginning) / 1000).toFixed(3).padStart(8)} ${text()}`)
  const world = { scheduler, chance: chance.fork('store'), isolation, flaws, note }
  const { connect } = createSharedStore(memory, world)
  const faults: string[] = []
  const tell = ({ message, fault }: Notice): void => {
    if (message === 'unexpected fault' && !String(fault).startsWith('StoreFault')) {
      faults.push(String(fault))
    }
  }
  const nodes = ['north', 'south'].map((name) => {
    const place = { scheduler, chance: chance.fork(name), database: connect, tell, latency }
    return new SimulatedNode(name, place)
  })
  const stage: Stage = {
    front: new Front(scheduler, nodes, note),
    people: people.map((one) => ({ ...one, passwords: [one.password] })),
    clients,
    holdings: [],
    think: ({ chance: { next } }) => next() * next() * think * 3,
  }
  memory.database.exec('begin')
  try {
    return await scheduler.run(script(stage, faults))
  } finally {
    for (const node of nodes) node.crash()
    memory.database.exec('rollback')
  }
}

export const simulate = (
  theatre: Theatre,
  { seed, without = [], write, ...flaws }: RunOptions,
): Promise<Run> => {
  const chance = chanceOf(seed)
  const plan = planOf(chance.fork('plan'))
  const { isolation, think, isCalm } = plan
  return onStage(theatre, { chance, isolation, think, write, ...flaws }, async (stage, faults) => {
    const { nodes, scheduler, operations, lines } = stage.front
    for (const [i, node] of nodes.entries()) node.aheadMilliseconds = plan.ahead[i] ?? 0
    const actors = await play(chance, plan, stage, { seed, without })
    // A paused application is answered 503, too.
    const isPaused = operations.some(({ deed }) => deed.kind === 'pause')
    const untold = isCalm && !isPaused && operations.some(({ status }) => status === 503)
    const told = untold ? [...faults, 'answered 503 though nothing had failed'] : faults
    const history: History = { lines, operations, faults: told }
    const passwords = new Map(theatre.people.map(({ id, password }) => [id, password]))
    const findings = audit(history, passwords)
    const simulatedSeconds = (scheduler.now - beginning) / 1000
    return { seed, isolation, history, findings, actors, events: scheduler.fired, simulatedSeconds }
  })
}
