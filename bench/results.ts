/** What a run has found, as it is written to JSON. */
import type { Cores } from './cores.ts'
import type { KeyOperation, Operation } from './load/job.ts'

/** One slice. */
export interface Sample {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuMicroseconds: number | null
  readonly residentMegabytes: number | null
  /** The share of its own core that the load generator used. */
  readonly generatorBusy: number
}

export interface Row {
  readonly operation: Operation
  readonly subject: string
  readonly kind: 'floor' | 'ours' | 'peer'
  /** What it answered outlives its process. */
  readonly durable: boolean
  /** And a power cut. */
  readonly fsynced: boolean
  readonly stored: number | null
  /** The earlier commit that was measured; null for this one. */
  readonly commit: string | null
  /** Medians over the slices; all zero where anything that was answered was wrong. */
  readonly perSecond: number
  /** The slowest and the fastest slice. */
  readonly from: number
  readonly to: number
  readonly p50: number
  readonly p99: number
  readonly cpuMicroseconds: number | null
  readonly residentMegabytes: number | null
  readonly generatorBusy: number
  /** What was wrong, or null. */
  readonly fault: string | null
  readonly slices: readonly Sample[]
}

export interface Server {
  readonly subject: string
  readonly about: string
  /** From the start of the process on a database that is there, to the line that says it is ready; null = never. */
  readonly readyMilliseconds: number | null
  /** The most memory it ever had. */
  readonly mostMegabytes: number | null
  readonly durable: boolean
  /** Whether all that was answered was still true after kill -9; null where it was not tried. */
  readonly survivedKill: boolean | null
}

/** Reads at a steady rate while others log in, which costs a password hash each. */
export interface Crowd {
  readonly subject: string
  readonly logins: number
  readonly readsPerSecond: number
  /** What was wrong, or null. */
  readonly fault: string | null
  readonly readP99: number
  readonly loginsPerSecond: number
}

/** One slice of load from both cores. */
export interface NodesSample {
  readonly perSecond: number
  /** Of the nodes together, for each request; null where it is not told. */
  readonly cpuMicroseconds: number | null
}

/** What one node does, and what two do on the same database. */
export interface NodesRow {
  readonly operation: Operation
  /** Medians over the slices. */
  readonly one: NodesSample
  readonly two: NodesSample
  readonly slices: Readonly<Record<'one' | 'two', readonly NodesSample[]>>
}

/** Three slices of one round: what a key proves, the same without one, and checks of signatures alone. */
export interface KeySample {
  readonly proven: Sample
  readonly plain: Sample
  /** Processor time of one check. */
  readonly checkMicroseconds: number
}

/** What an operation costs with a key of the client, beside the same with a secret or a Bearer token. */
export interface KeyRow {
  readonly operation: KeyOperation
  readonly subject: string
  /** What was wrong, or null. */
  readonly fault: string | null
  readonly slices: readonly KeySample[]
}

/** How large a database is in which so much was stored before. */
export interface Filled {
  readonly families: number
  readonly owners: number
  readonly megabytes: number
}

/** Where and how it was measured. */
export interface Environment {
  readonly node: string
  readonly sqlite: string
  readonly platform: string
  readonly processor: string
  readonly cores: number
  readonly memoryGigabytes: number
  /** The CPU of each, or null where nothing is pinned. */
  readonly cpus: Cores | null
  /** How busy the machine was when the run began: the mean of a minute, as `uptime` tells it. */
  readonly loadBefore: number
  /** What the databases lie on, and how long it takes to write 4 KB there so that they outlive a power cut. */
  readonly fileSystem: string
  readonly fsyncMilliseconds: number
  readonly secondsPerSlice: number
  readonly rounds: number
}

export interface Results {
  readonly environment: Environment
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  readonly servers: readonly Server[]
  readonly crowds: readonly Crowd[]
  /** Empty where there is no PostgreSQL, or one node was asked for. */
  readonly nodes: readonly NodesRow[]
  /** Empty where none was asked for. */
  readonly keys: readonly KeyRow[]
  readonly files: readonly Filled[]
  /** What was left out, and why. */
  readonly notes: readonly string[]
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

const medianOrNull = (values: readonly (number | null)[]): number | null => {
  const told = values.filter((value) => value !== null)
  return told.length === 0 ? null : median(told)
}

/** One row out of the slices of all rounds. */
export const rowOf = (
  about: Pick<Row, 'operation' | 'subject' | 'kind' | 'durable' | 'fsynced' | 'stored' | 'commit'>,
  slices: readonly Sample[],
  fault: string | null,
): Row => {
  const counted = fault === null ? slices : []
  const rates = counted.map((slice) => slice.perSecond)
  return {
    ...about,
    perSecond: Math.round(median(rates)),
    from: Math.round(Math.min(...rates, Number.MAX_SAFE_INTEGER)) % Number.MAX_SAFE_INTEGER,
    to: Math.round(Math.max(...rates, 0)),
    p50: median(counted.map((slice) => slice.p50)),
    p99: median(counted.map((slice) => slice.p99)),
    cpuMicroseconds: medianOrNull(counted.map((slice) => slice.cpuMicroseconds)),
    residentMegabytes: medianOrNull(counted.map((slice) => slice.residentMegabytes)),
    generatorBusy: median(counted.map((slice) => slice.generatorBusy)),
    fault,
    slices,
  }
}

export interface Target {
  readonly ofFloor: number | null
  readonly ofPeer: number | null
}

/** What the ratios are to be at least: of the floor, and of the fastest peer with an fsync for each commit. */
export const targets: Readonly<Record<Operation, Target>> = {
  token: { ofFloor: 0.58, ofPeer: 3.5 },
  'token-jwt': { ofFloor: null, ofPeer: null },
  code: { ofFloor: 0.32, ofPeer: 3.5 },
  // The floor answers without an ID token: it has nothing that long to send.
  'id-token-rs256': { ofFloor: null, ofPeer: null },
  'id-token-es256': { ofFloor: null, ofPeer: null },
  refresh: { ofFloor: 0.35, ofPeer: 3.5 },
  introspect: { ofFloor: 0.56, ofPeer: 3.5 },
  'introspect-cold': { ofFloor: 0.56, ofPeer: null },
  revoke: { ofFloor: 0.28, ofPeer: 3.5 },
  read: { ofFloor: 0.52, ofPeer: 1 },
  'read-cold': { ofFloor: 0.52, ofPeer: null },
  userinfo: { ofFloor: null, ofPeer: null },
  journey: { ofFloor: null, ofPeer: null },
  login: { ofFloor: null, ofPeer: null },
}

/** What the others of an operation are compared with. */
export const comparedOf = (rows: readonly Row[], operation: Operation) => {
  const these = rows.filter((row) => row.operation === operation)
  const durable = these
    .filter((row) => row.kind === 'peer' && row.durable && row.perSecond > 0)
    .sort((a, b) => b.perSecond - a.perSecond)
  return {
    these,
    floor: these.find((row) => row.kind === 'floor'),
    fastest: durable[0],
    fastestFsynced: durable.find((row) => row.fsynced),
  }
}
