/** What an operation needs before it can be measured, and whether what it answered is true afterwards. */
import { formBody } from '../test/support/start.ts'
import type { Generator } from './generator.ts'
import {
  application,
  type Job,
  type Operation,
  type Outcome,
  password,
  service,
  type Target,
  type Work,
} from './load/job.ts'
import type { Mint } from './mint.ts'
import type { Running } from './subjects/subject.ts'

/** Where nothing was stored before: alice's tokens that are shown again and again, and her chains of refresh tokens. */
const pool = 1000
const chains = 64
/** What is used once is made before a slice, more of it than any server uses in a second. */
const madePerSecond = 30_000
/** Codes live for a minute. */
const longestSlice = 20
/** So many log in. */
const people = 50
/** So many of what was answered are tried afterwards. */
const sampled = 20

export const connections = 32

const accessOf = (pair: string): string => pair.split(' ')[0] ?? ''
const refreshOf = (pair: string): string => pair.split(' ')[1] ?? ''

/** People who log in, each with a name of their own, made by the operator's client of the demo. */
const addPeople = async ({ target }: Running): Promise<readonly string[]> => {
  const origin = `http://127.0.0.1:${target.port}`
  const answer = await fetch(`${origin}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('latchkey-admin:latchkey-admin-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'owners:write' }),
  })
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  const add = async (username: string): Promise<string> => {
    const { status } = await fetch(`${origin}/admin/api/owners`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        username,
        password,
        name: username,
        email: `${username}@example.com`,
      }),
    })
    if (status !== 201) throw new Error(`an owner could not be added: ${status}`)
    return username
  }
  return Promise.all(Array.from({ length: people }, (_, i) => add(`person-${i}`)))
}

export class Supplies {
  readonly #running: Running
  readonly #generator: Generator
  /** Access tokens for reading, and for asking about. */
  readonly #pools = new Map<string, readonly string[]>()
  /** Those of more owners than the service remembers, and whose turn it is. */
  #many: readonly string[] = []
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
  async #newPairs(count: number, scope: string): Promise<readonly string[]> {
    const target = { ...this.#running.target, scope }
    const { kept: codes } = await this.#run('authorize', { target, most: count })
    return (await this.#run('code', { material: codes })).kept
  }

  async #tokens(scope: string): Promise<readonly string[]> {
    const known = this.#pools.get(scope)
    if (known !== undefined) return known
    const { mint } = this.#running.subject
    const tokens = mint?.accessTokens('known') ?? (await this.#newPairs(pool, scope)).map(accessOf)
    this.#pools.set(scope, tokens)
    return tokens
  }

  /** As many as a slice may need, going on where the last one left off. */
  #coldTokens(mint: Mint, seconds: number): readonly string[] {
    if (this.#many.length === 0) this.#many = mint.accessTokens('many')
    const all = [...this.#many.slice(this.#next), ...this.#many.slice(0, this.#next)]
    return all.slice(0, Math.ceil(seconds * madePerSecond))
  }

  /** @param seconds how long the slice is that this is for */
  async get(operation: Operation, seconds: number): Promise<readonly string[]> {
    const { subject } = this.#running
    const { mint } = subject
    const isShort = { seconds: Math.min(seconds, longestSlice) }
    const count = Math.ceil(isShort.seconds * madePerSecond)
    switch (operation) {
      case 'code':
        return mint?.codes(count) ?? (await this.#run('authorize', isShort)).kept
      case 'refresh':
        if (this.#chains.length === 0) {
          this.#chains = (await this.#newPairs(chains, subject.scope)).map(refreshOf)
        }
        return this.#chains
      case 'introspect':
        return (await this.#tokens(subject.scope)).map(accessOf)
      case 'introspect-cold':
        if (mint === undefined) return this.get('introspect', seconds)
        return this.#coldTokens(mint, seconds).map(accessOf)
      case 'read':
        return this.#tokens(subject.readScope)
      case 'read-cold':
        return mint === undefined ? this.get('read', seconds) : this.#coldTokens(mint, seconds)
      case 'revoke':
        return mint?.revocable(count) ?? (await this.#run('token', isShort)).kept
      case 'login':
        this.#people ??= await addPeople(this.#running)
        return this.#people
      default:
        return []
    }
  }

  /** Chains, and the order of many owners, go on where a slice left them. */
  took(operation: Operation, outcome: Outcome): void {
    if (operation === 'refresh') this.#chains = outcome.kept.map(refreshOf)
    if (operation.endsWith('-cold') && this.#many.length > 0) {
      this.#next = (this.#next + outcome.done) % this.#many.length
    }
  }
}

/** What has to be so after a slice, and after a crash: these tokens live, those do not. */
export interface Truth {
  readonly client: Target['revoker']
  readonly living: readonly string[]
  readonly ended: readonly string[]
}

const spread = (list: readonly string[]): readonly string[] => {
  const step = Math.max(1, Math.floor(list.length / sampled))
  return list.filter((_, i) => i % step === 0).slice(0, sampled)
}

export const truthOf = (
  operation: Operation,
  { revoker }: Target,
  material: readonly string[],
  outcome: Outcome,
): Truth | null => {
  switch (operation) {
    case 'token':
      return { client: service, living: spread(outcome.kept), ended: [] }
    case 'code':
    case 'refresh':
    case 'journey':
      return { client: application, living: spread(outcome.kept).map(accessOf), ended: [] }
    case 'revoke':
      // Each connection began with one of the first.
      return { client: revoker, living: [], ended: material.slice(0, connections) }
    default:
      return null
  }
}

const isActive = async (
  { subject, target }: Running,
  token: string,
  client: Truth['client'],
): Promise<boolean> => {
  const origin = `http://127.0.0.1:${target.port}`
  if (!subject.introspects) {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(origin + subject.readPath, { headers })).status === 200
  }
  const answer = await fetch(`${origin}/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: formBody({ token }),
  })
  const body = (await answer.json()) as { readonly active?: boolean }
  return answer.status === 200 && body.active === true
}

/** Null where it is true, else what is not. */
export const findLie = async (running: Running, truth: Truth): Promise<string | null> => {
  for (const token of truth.living) {
    if (!(await isActive(running, token, truth.client))) return 'a token that was issued is dead'
  }
  for (const token of truth.ended) {
    if (await isActive(running, token, truth.client)) return 'a token that was revoked lives'
  }
  return null
}
