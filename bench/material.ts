/** What an operation needs before it can be measured. */
import type { Generator } from './generator.ts'
import {
  type Job,
  type KeyOperation,
  type Operation,
  type Outcome,
  type Target,
  targetOf,
  type Work,
} from './load/job.ts'
import type { Mint } from './mint.ts'
import { addPeople } from './operator.ts'
import { askNonce, makeAssertions, makeReads, makeTokenProofs } from './proofs.ts'
import type { Running } from './subjects/subject.ts'

/** Where nothing was stored before: alice's tokens that are shown again and again, and her chains of refresh tokens. */
const pool = 1000
const chains = 64
/** What is used once is made before a slice, more of it than any server uses in a second. */
const madePerSecond = 30_000
/** The same of what is signed, since each check of a signature takes long. */
const signedPerSecond = 12_000
/** Codes live for a minute, in which they are made, dealt out and exchanged. */
export const longestSlice = 20
/** Access tokens live for an hour; those that are shown again and again are made anew after half of it. */
const poolMilliseconds = 1_800_000
/** So many log in. */
const people = 50

export const connections = 32

const accessOf = (pair: string): string => pair.split(' ')[0] ?? ''
const refreshOf = (pair: string): string => pair.split(' ')[1] ?? ''

export class Supplies {
  readonly #running: Running
  readonly #generator: Generator
  /** Access tokens for reading, and for asking about, and those of more owners than the service remembers. */
  readonly #pools = new Map<
    string,
    { readonly madeAt: number; readonly tokens: readonly string[] }
  >()
  /** Whose turn it is of many owners. */
  #next = 0
  #chains: readonly string[]
  #people: readonly string[] | null = null

  constructor(running: Running, generator: Generator) {
    this.#running = running
    this.#generator = generator
    this.#chains = running.subject.mint?.refreshTokens() ?? []
  }

  async #run(work: Work, more: Partial<Job>): Promise<Outcome> {
    const { target, subject } = this.#running
    const job = {
      target,
      rate: null,
      most: null,
      material: [],
      connections,
      seconds: 60,
      awake: subject.awake,
    }
    const outcome = await this.#generator.run({ ...job, work, keep: 200_000, ...more })
    if (outcome.wrong > 0) {
      throw new Error(`${subject.name}: preparing failed at ${work}: ${outcome.firstWrong}`)
    }
    return outcome
  }

  /** Access and refresh tokens out of new codes. */
  async #newPairs(count: number, target: Target, isBound = false): Promise<readonly string[]> {
    const { kept: codes } = await this.#run('authorize', { target, most: count })
    const proofs = isBound ? makeTokenProofs(target.port, codes.length) : []
    const material = codes.map((code, i) => [code, proofs[i] ?? []].flat().join(' '))
    return (await this.#run('code', { target, material })).kept
  }

  async #pooled(
    name: string,
    make: () => readonly string[] | Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const known = this.#pools.get(name)
    const madeAt = performance.now()
    if (known !== undefined && madeAt - known.madeAt < poolMilliseconds) return known.tokens
    const tokens = await make()
    this.#pools.set(name, { madeAt, tokens })
    return tokens
  }

  #tokens(scope: string): Promise<readonly string[]> {
    const { subject, target } = this.#running
    return this.#pooled(
      scope,
      async () =>
        subject.mint?.accessTokens('known') ??
        (await this.#newPairs(pool, { ...target, scope })).map(accessOf),
    )
  }

  /** Tokens that are bound to the key of the proofs. */
  #boundTokens(scope: string): Promise<readonly string[]> {
    const { subject, target } = this.#running
    return this.#pooled(
      'bound',
      async () =>
        subject.mint?.accessTokens('bound') ??
        (await this.#newPairs(pool, { ...target, scope }, true)).map(accessOf),
    )
  }

  /** As many as a slice may need, going on where the last one left off. */
  async #coldTokens(mint: Mint, count: number): Promise<readonly string[]> {
    const many = await this.#pooled('many', () => mint.accessTokens('many'))
    const from = this.#next % many.length
    return [...many.slice(from), ...many.slice(0, from)].slice(0, count)
  }

  /** @param seconds how long the slice is that this is for, at most `longestSlice` */
  async get(operation: Operation | KeyOperation, seconds: number): Promise<readonly string[]> {
    const { subject, target } = this.#running
    const { mint } = subject
    const count = Math.ceil(seconds * madePerSecond)
    const signed = Math.ceil(seconds * signedPerSecond)
    switch (operation) {
      case 'code':
        return mint?.codes(count) ?? (await this.#run('authorize', { seconds })).kept
      case 'id-token-rs256':
      case 'id-token-es256': {
        const login = targetOf(operation, target)
        return (await this.#run('authorize', { target: login, seconds })).kept
      }
      case 'refresh':
        if (this.#chains.length === 0) {
          this.#chains = (await this.#newPairs(chains, { ...target, scope: subject.scope })).map(
            refreshOf,
          )
        }
        return this.#chains
      case 'introspect':
        return (await this.#tokens(subject.scope)).map(accessOf)
      case 'introspect-cold':
        if (mint === undefined) return this.get('introspect', seconds)
        return (await this.#coldTokens(mint, count)).map(accessOf)
      case 'read':
        return this.#tokens(subject.readScope)
      case 'read-cold':
        return mint === undefined ? this.get('read', seconds) : this.#coldTokens(mint, count)
      case 'token-assertion':
        return makeAssertions(target.keyClient ?? '', target.port, signed)
      case 'read-dpop':
      case 'read-dpop-bare': {
        const nonce = operation === 'read-dpop' ? await askNonce(target) : null
        return makeReads(await this.#boundTokens(subject.readScope), { ...target, nonce }, signed)
      }
      case 'userinfo':
        return (await this.#newPairs(pool, targetOf(operation, target))).map(accessOf)
      case 'revoke':
        return mint?.revocable(count) ?? (await this.#run('token', { seconds })).kept
      case 'login':
        this.#people ??= await addPeople(this.#running.target.port, people)
        return this.#people
      default:
        return []
    }
  }

  /** Chains, and the order of many owners, go on where a slice left them. */
  took(operation: Operation | KeyOperation, outcome: Outcome): void {
    if (operation === 'refresh') this.#chains = outcome.kept.map(refreshOf)
    if (operation.endsWith('-cold')) this.#next += outcome.done
  }
}
