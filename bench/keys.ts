/**
 * What keys of clients cost: the processor time of a token by `private_key_jwt` (ES256) and of a read with a
 * DPoP-bound token, beside the same with a secret and with a Bearer token. A signature check by itself is
 * measured, too. All kinds take turns, so that a busy machine slows all of them.
 *
 *     node bin/latchkey.js run bench/keys.ts
 */

import { isSignedByKey } from '../src/crypto/client-jws.ts'
import { readClaimed } from '../src/crypto/jose.ts'
import { operatorOf } from '../test/flows/operator.ts'
import { provenBy } from '../test/support/assertions.ts'
import { keySetOf, newKeys } from '../test/support/client-keys.ts'
import { nightlyReport } from '../test/support/demo-clients.ts'
import { digestToken, makeProver } from '../test/support/dpop.ts'
import { basic, type Init, requestOf, start } from '../test/support/start.ts'

const rounds = 30
/** Requests under way at once: as many share a commit. */
const together = 50

const service = await start()
const { issuer, now } = service
const keys = await newKeys('ES256', 'k-1')
const prover = await makeProver(now)
const { body: client } = await (await operatorOf(service))('POST', 'clients', {
  grant_types: ['client_credentials'],
  scope: 'calendar',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: keySetOf(keys),
})
const own = { grant_type: 'client_credentials', scope: 'calendar:read' }
const secret = { headers: { authorization: basic(nightlyReport) } }
const plain = (await service.ask('/token', { form: own, ...secret })).body.access_token
const proof = await prover.prove('POST', `${issuer}/token`)
const { body, headers } = await service.ask('/token', {
  form: own,
  headers: { ...secret.headers, dpop: proof },
})
const bound = body.access_token
const nonce = headers.get('dpop-nonce')

const send = async (path: string, init: Init): Promise<void> => {
  const { status } = await service.server().respond(requestOf(issuer + path, init), '127.0.0.1')
  if (status !== 200) throw new Error(`${path} answers ${status}`)
}

const makeAssertion = async (): Promise<Init> => ({
  form: { ...own, ...(await provenBy(service, client.client_id, keys)) },
})

const makeRead = async (claims: object): Promise<() => Promise<void>> => {
  const about = { ath: digestToken(bound), ...claims }
  const dpop = await prover.prove('GET', `${issuer}/api/calendar`, about)
  return () => send('/api/calendar', { headers: { authorization: `DPoP ${bound}`, dpop } })
}

const checked = String((await makeAssertion()).form?.client_assertion)
const { header } = readClaimed(checked) ?? { header: {} }

/** Each makes its requests first, which is not measured. */
const kinds: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  secret: async () => () => send('/token', { form: own, ...secret }),
  assertion: async () => {
    const init = await makeAssertion()
    return () => send('/token', init)
  },
  bearer: async () => () =>
    send('/api/calendar', { headers: { authorization: `Bearer ${plain}` } }),
  proof: () => makeRead({ nonce }),
  row: () => makeRead({}),
  check: async () => () => isSignedByKey({ text: checked, header }, keys.publicKey, 'ES256'),
}

/** Microseconds of processor time for each request. */
const measure = async (make: () => Promise<() => Promise<unknown>>): Promise<number> => {
  const works = await Promise.all(Array.from({ length: together }, make))
  const before = process.cpuUsage()
  await Promise.all(works.map((work) => work()))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / together
}

const spent = new Map<string, number[]>()
for (let round = 0; round <= rounds; round++) {
  for (const [kind, make] of Object.entries(kinds)) {
    const took = await measure(make)
    // The first round compiles.
    if (round > 0) spent.set(kind, [...(spent.get(kind) ?? []), took])
  }
}
await service.close()

const middleOf = (kind: string): number =>
  (spent.get(kind) ?? []).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
const timesOf = (kind: string, plain: string): string =>
  ((middleOf(kind) - middleOf('check')) / middleOf(plain)).toFixed(2)
const lines = [
  ...Object.keys(kinds).map(
    (kind) => `${kind.padEnd(10)} ${middleOf(kind).toFixed(0).padStart(5)} µs`,
  ),
  `a token by an assertion, without the check: ${timesOf('assertion', 'secret')} times one by a secret`,
  `a read with a proof, without the check: ${timesOf('proof', 'bearer')} times one with a Bearer token`,
  `the same without a nonce: ${timesOf('row', 'bearer')} times`,
]
process.stdout.write(`${lines.join('\n')}\n`)
