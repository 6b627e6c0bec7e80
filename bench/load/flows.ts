/** What one connection asks for again and again, one flow for each kind of work. */
import type { Answer } from './connection.ts'
import type { Job, Work } from './job.ts'
import { earnedBy, requestsFor } from './requests.ts'

export interface Flow {
  /** The next request, or null where nothing is left to ask. */
  next(): string | null
  /** Whether the answer was right, and `more` where it is only the first half of something. */
  heard(answer: Answer): 'right' | 'wrong' | 'more'
  /** What this connection has earned. */
  readonly kept: readonly string[]
}

type Judge = (answer: Answer) => string | null

/** The same kind of request each time, made of the next piece of material. */
const simple = (next: () => string | null, judge: Judge, keep: number): Flow => {
  const kept: string[] = []
  return {
    kept,
    next,
    heard(answer) {
      const earned = judge(answer)
      if (earned === null) return 'wrong'
      if (earned !== '' && kept.length < keep) kept.push(earned)
      return 'right'
    },
  }
}

/** Takes each piece once. */
const once = (
  material: readonly string[],
  request: (piece: string) => string,
): (() => string | null) => {
  let at = 0
  return () => {
    const piece = material[at++]
    return piece === undefined ? null : request(piece)
  }
}

/** Takes all pieces in turn, and begins again. */
const around = (
  material: readonly string[],
  request: (piece: string) => string,
): (() => string | null) => {
  let at = 0
  return () => {
    const piece = material[at++ % material.length]
    return piece === undefined ? null : request(piece)
  }
}

/** Each piece is a chain of its own: the next link is what came last. */
const refreshing = (material: readonly string[], refresh: (token: string) => string): Flow => {
  const chains = [...material]
  const last = new Map<number, string>()
  let at = 0
  return {
    get kept() {
      return [...last.values()]
    },
    next() {
      at = (at + 1) % Math.max(chains.length, 1)
      const token = chains[at]
      return token === undefined ? null : refresh(token)
    },
    heard(answer) {
      const pair = earnedBy.pair(answer)
      if (pair === null) return 'wrong'
      last.set(at, pair)
      chains[at] = pair.slice(pair.indexOf(' ') + 1)
      return 'right'
    },
  }
}

type Requests = ReturnType<typeof requestsFor>

const journey = (requests: Requests, keep: number): Flow => {
  const kept: string[] = []
  let code: string | null = null
  return {
    kept,
    next: () => (code === null ? requests.authorize : requests.code(code)),
    heard(answer) {
      if (code === null) {
        code = earnedBy.code(answer)
        return code === null ? 'wrong' : 'more'
      }
      code = null
      const pair = earnedBy.pair(answer)
      if (pair === null) return 'wrong'
      if (kept.length < keep) kept.push(pair)
      return 'right'
    },
  }
}

/** Logins are rare, for each costs as much as hundreds of other requests: one in so many lives. */
const livesPerLogin = 500

interface Step {
  readonly request: string
  readonly judge: Judge
}

/** What one application does with one code, everything once; ends where an answer is wrong. */
function* life(requests: Requests): Generator<Step, void, string | null> {
  if (Math.random() < 1 / livesPerLogin) {
    yield { request: requests.login('alice'), judge: earnedBy.session }
  }
  const code = yield { request: requests.authorize, judge: earnedBy.code }
  if (code === null) return
  const first = yield { request: requests.code(code), judge: earnedBy.pair }
  if (first === null) return
  const [access = '', refresh = ''] = first.split(' ')
  yield { request: requests.read(access), judge: earnedBy.reading }
  yield { request: requests.introspect(access), judge: earnedBy.activity }
  const second = yield { request: requests.refresh(refresh), judge: earnedBy.pair }
  if (second === null) return
  const [latest = ''] = second.split(' ')
  yield { request: requests.read(latest), judge: earnedBy.reading }
  const own = yield { request: requests.token, judge: earnedBy.accessToken }
  if (own === null) return
  yield { request: requests.introspectOwn(own), judge: earnedBy.activity }
  yield { request: requests.revoke(own), judge: earnedBy.ending }
}

/** One life after the other. */
const living = (requests: Requests): Flow => {
  let steps = life(requests)
  let under = steps.next()
  const step = (): Step => {
    if (under.done) {
      steps = life(requests)
      under = steps.next()
    }
    if (under.done) throw new Error('a life has to begin with something')
    return under.value
  }
  return {
    kept: [],
    next: () => step().request,
    heard(answer) {
      const earned = step().judge(answer)
      under = steps.next(earned)
      return earned === null ? 'wrong' : 'right'
    },
  }
}

const makers: Readonly<
  Record<
    Exclude<Work, 'mix'>,
    (requests: Requests, material: readonly string[], keep: number) => Flow
  >
> = {
  token: (requests, _, keep) => simple(() => requests.token, earnedBy.accessToken, keep),
  authorize: (requests, _, keep) => simple(() => requests.authorize, earnedBy.code, keep),
  code: (requests, material, keep) => simple(once(material, requests.code), earnedBy.pair, keep),
  refresh: (requests, material) => refreshing(material, requests.refresh),
  introspect: (requests, material) =>
    simple(around(material, requests.introspect), earnedBy.activity, 0),
  revoke: (requests, material) => simple(once(material, requests.revoke), earnedBy.ending, 0),
  read: (requests, material) => simple(around(material, requests.read), earnedBy.reading, 0),
  journey: (requests, _, keep) => journey(requests, keep),
  login: (requests, material) => simple(around(material, requests.login), earnedBy.session, 0),
}

/** The flow of one of the job's connections. */
export const createFlow = (
  { work, target, material, keep, connections }: Job,
  number: number,
): Flow => {
  const share = material.filter((_, i) => i % connections === number)
  if (work === 'mix') return living(requestsFor(target))
  return makers[work](requestsFor(target), share, Math.ceil(keep / connections))
}
