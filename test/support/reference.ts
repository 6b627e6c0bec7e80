/**
 * The reference of a refusal, which is another one in each answer. Tests compare the rest of a body.
 * Here each answer is checked to carry one and the same reference in its header and in its body.
 */
import assert from 'node:assert/strict'

const member = 'latchkey_reference'

export interface ToldAnswer {
  readonly status: number
  /** `Location` is without the reference. */
  readonly headers: Headers
  readonly text: string
  /** The body as JSON without the reference; undefined where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test compares any body with its expectation.
  readonly body: any
  /** The reference of a refusal; null where the answer is none. */
  readonly reference: string | null
}

/** A page is no JSON. To find that out by an exception took a fortieth of the time of some tests. */
const parsed = (text: string): unknown => {
  if (text.startsWith('<')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRefusal = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && ('error' in body || member in body)

/** @throws AssertionError unless the body of a refusal has the reference of the header */
const bodyOf = (text: string, status: number, headers: Headers): unknown => {
  const body = parsed(text)
  if (status < 400 || !isRefusal(body)) return body
  const { [member]: reference, ...rest } = body
  // Nobody can explain a routine answer later. Too many of `slow_down` are no routine, nor is each nonce.
  const isPending = body.error === 'authorization_pending'
  const isRoutineAtTimes = body.error === 'slow_down' || body.error === 'use_dpop_nonce'
  if (isPending || (isRoutineAtTimes && reference === undefined)) {
    assert.deepEqual([reference, headers.get('latchkey-reference')], [undefined, null])
    return rest
  }
  assert.ok(typeof reference === 'string' && /^[0-9a-z]{26}$/.test(reference), text)
  assert.equal(headers.get('latchkey-reference'), reference)
  return rest
}

const withoutReference = (headers: Headers): Headers => {
  const location = headers.get('location')
  const found = /([?&#])latchkey_reference=([0-9a-z]{26})(&?)/.exec(location ?? '')
  if (location === null || found === null) return headers
  const [whole, before = '', reference, behind] = found
  assert.equal(headers.get('latchkey-reference'), reference)
  const others = new Headers(headers)
  others.set('location', location.replace(whole, behind === '' ? '' : before))
  return others
}

const line = /<p class="quiet small reference">[^<]*<code>([^<]*)<\/code><\/p>\n/

/** @throws AssertionError where a refused form has another reference than the header */
const pageOf = (text: string, headers: Headers): string => {
  const [, reference] = line.exec(text) ?? []
  if (reference === undefined) return text
  assert.equal(headers.get('latchkey-reference'), reference)
  return text.replace(line, '')
}

export const toldAnswer = ({ status, headers }: Response, text: string): ToldAnswer => ({
  status,
  headers: withoutReference(headers),
  text: pageOf(text, headers),
  body: bodyOf(text, status, headers),
  reference: headers.get('latchkey-reference'),
})
