/** What one connection asks for again and again, one flow for each kind of work. */
import type { Answer } from './connection.ts'
import { alicePassword, type Job, type Target, type Work } from './job.ts'
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

/** What one connection is given: requests of its server, its share of the material, how much it may keep. */
interface Share {
  readonly requests: Requests
  readonly target: Target
  readonly material: readonly string[]
  readonly keep: number
}

/** The same with a proof for each read, which comes behind the token and works once. */
const proving = ({ requests, material, target: { shows } }: Share): Flow => {
  let at = 0
  let expected = shows
  return {
    kept: [],
    next() {
      const piece = material[at++]
      if (piece === undefined) return null
      const [token = '', proof = '', ...own] = piece.split(' ')
      expected = own.length === 0 ? shows : own
      return requests.readProven(token, proof)
    },
    heard: (answer) => (earnedBy.reading(answer, expected) === null ? 'wrong' : 'right'),
  }
}

/** Reads with each token in turn, and knows what has to be shown to it. */
const reading = ({ requests, material, target: { shows } }: Share): Flow => {
  let at = 0
  let expected = shows
  return {
    kept: [],
    next() {
      const piece = material[at++ % material.length]
      if (piece === undefined) return null
      const [token = '', ...own] = piece.split(' ')
      expected = own.length === 0 ? shows : own
      return requests.read(token)
    },
    heard: (answer) => (earnedBy.reading(answer, expected) === null ? 'wrong' : 'right'),
  }
}

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
function* life(
  requests: Requests,
  { shows, revoked }: Target,
): Generator<Step, void, string | null> {
  if (Math.random() < 1 / livesPerLogin) {
    yield { request: requests.login('alice', alicePassword), judge: earnedBy.session }
  }
  const code = yield { request: requests.authorize, judge: earnedBy.code }
  if (code === null) return
  const first = yield { request: requests.code(code), judge: earnedBy.pair }
  if (first === null) return
  const [access = '', refresh = ''] = first.split(' ')
  const judgeReading: Judge = (answer) => earnedBy.reading(answer, shows)
  yield { request: requests.read(access), judge: judgeReading }
  yield { request: requests.introspect(access), judge: earnedBy.activity }
  const second = yield { request: requests.refresh(refresh), judge: earnedBy.pair }
  if (second === null) return
  const [latest = ''] = second.split(' ')
  yield { request: requests.read(latest), judge: judgeReading }
  const own = yield { request: requests.token, judge: earnedBy.accessToken }
  if (own === null) return
  yield { request: requests.introspectOwn(own), judge: earnedBy.activity }
  yield { request: requests.revoke(own), judge: (answer) => earnedBy.ending(answer, revoked) }
}

/** One life after the other. */
const living = (requests: Requests, target: Target): Flow => {
  let steps = life(requests, target)
  let under = steps.next()
  const step = (): Step => {
    if (under.done) {
      steps = life(requests, target)
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

const introspecting = ({ requests, material }: Share): Flow =>
  simple(around(material, requests.introspect), earnedBy.activity, 0)

const exchanging = ({ requests, material, keep }: Share): Flow =>
  simple(once(material, requests.code), earnedBy.pairWithIdToken, keep)

const makers: Readonly<Record<Work, (share: Share) => Flow>> = {
  token: ({ requests, keep }) => simple(() => requests.token, earnedBy.accessToken, keep),
  'token-jwt': ({ requests, keep }) => simple(() => requests.tokenJwt, earnedBy.jwt, keep),
  'token-assertion': ({ requests, material, keep }) =>
    simple(once(material, requests.tokenAsserted), earnedBy.accessToken, keep),
  authorize: ({ requests, keep }) => simple(() => requests.authorize, earnedBy.code, keep),
  code: ({ requests, material, keep }) =>
    simple(once(material, requests.code), earnedBy.pair, keep),
  'id-token-rs256': exchanging,
  'id-token-es256': exchanging,
  refresh: ({ requests, material }) => refreshing(material, requests.refresh),
  introspect: introspecting,
  'introspect-cold': introspecting,
  revoke: ({ requests, material, target }) =>
    simple(once(material, requests.revoke), (answer) => earnedBy.ending(answer, target.revoked), 0),
  read: reading,
  'read-cold': reading,
  'read-dpop': proving,
  'read-dpop-bare': proving,
  userinfo: reading,
  journey: ({ requests, keep }) => journey(requests, keep),
  login: ({ requests, material }) => simple(around(material, requests.login), earnedBy.session, 0),
  mix: ({ requests, target }) => living(requests, target),
}

/** The flow of one of the job's connections. */
export const createFlow = (
  { work, target, material, keep, connections }: Job,
  number: number,
): Flow => {
  const dealt = material.filter((_, i) => i % connections === number)
  const requests = requestsFor(target)
  return makers[work]({ requests, target, material: dealt, keep: Math.ceil(keep / connections) })
}
