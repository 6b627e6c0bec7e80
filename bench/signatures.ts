/**
 * What a signature costs: the processor time to sign a JWT of an access token and to check it, by
 * algorithm, as a multiple of ES256. All algorithms take turns, so that a busy machine slows all of them.
 *
 *     node bin/latchkey.js run bench/signatures.ts
 */
import { openPublicKey, verifyWith } from '../src/crypto/jose.ts'
import {
  makeKeyPair,
  openOwnPublicKey,
  openPrivateKey,
  signJwt,
  verifyOwnJwt,
} from '../src/crypto/own-jws.ts'
import { type SigningAlgorithm, signingAlgorithms } from '../src/model/key.ts'

const rounds = 40
const timesInRound = 25

/** About as long as those of an access token. */
const claims = { iss: 'https://auth.example.com', scope: 'orders:read', lk_seal: 'x'.repeat(300) }

const open = async (alg: SigningAlgorithm) => {
  const { secret, publicKey } = await makeKeyPair(alg)
  const key = openPrivateKey(secret)
  const own = openOwnPublicKey(publicKey)
  const published = await openPublicKey(publicKey, alg)
  const sign = () => signJwt(claims, { alg, kid: 'one', typ: 'at+jwt' }, key)
  const text = await sign()
  const works = {
    sign,
    check: async () => verifyOwnJwt(text, own, alg),
    guard: () => verifyWith(text, published, alg),
  }
  return { alg, characters: text.length, works }
}

type Work = keyof Awaited<ReturnType<typeof open>>['works']

/** Microseconds of processor time. */
const measure = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  for (let time = 0; time < timesInRound; time++) {
    if ((await work()) === null) throw new Error('a signature does not hold')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / timesInRound
}

const middleOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const opened = await Promise.all(signingAlgorithms.map(open))
const works: readonly Work[] = ['sign', 'check', 'guard']
const spent = new Map<string, number[]>()
for (let round = 0; round <= rounds; round++) {
  for (const { alg, works: of } of opened) {
    for (const work of works) {
      const took = await measure(of[work])
      // The first round compiles.
      if (round > 0) spent.set(`${alg} ${work}`, [...(spent.get(`${alg} ${work}`) ?? []), took])
    }
  }
}

const middle = (alg: string, work: Work): number => middleOf(spent.get(`${alg} ${work}`) ?? [])
const row = (cells: readonly unknown[]): string =>
  cells.map((cell) => String(cell).padStart(12)).join('')

process.stdout.write(`${row(['', 'JWT', ...works.map((work) => `${work}, times`), 'sign µs'])}\n`)
for (const { alg, characters } of opened) {
  const times = works.map((work) => (middle(alg, work) / middle('ES256', work)).toFixed(2))
  process.stdout.write(`${row([alg, characters, ...times, middle(alg, 'sign').toFixed(0)])}\n`)
}
