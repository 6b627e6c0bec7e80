/** Fetches that strangers cause: how long an answer serves, and how many may fail. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentLimits as limits } from '../../../src/clients/limits.ts'
import { copyOf, createFetchBounds } from '../../../src/clients/site-fetch.ts'

const at = 1_000_000

describe('a confirmation of a copy', () => {
  const before = { etag: '"1"', fetchedAt: at, freshUntil: at + 100, usableUntil: at + 200 }
  const date = new Date(at * 1000).toUTCString()

  test('without a word about caching keeps the lifetime of before', () => {
    const renewed = { etag: '"1"', fetchedAt: at + 50, freshUntil: at + 150, usableUntil: at + 250 }
    assert.deepEqual(copyOf(new Headers({ date }), before, at + 50), renewed)
  })

  test('with one has a lifetime of its own', () => {
    const expires = new Date((at + 7) * 1000).toUTCString()
    for (const said of [{ 'cache-control': 'max-age=7' }, { date, expires }]) {
      const { freshUntil } = copyOf(new Headers(said as Record<string, string>), before, at + 50)
      assert.equal(freshUntil, at + 57)
    }
  })
})

test('strangers of all networks together have a number of failures in a window', () => {
  const bounds = createFetchBounds(() => at * 1000)
  const fail = (network: number) => {
    const address = `10.${network >> 8}.${network & 255}.1`
    const place = bounds.enter({ address, at })
    if (place.is === 'entered') place.leave('failed')
    return place.is
  }
  for (let n = 0; n < limits.failures; n++) assert.equal(fail(n), 'entered')
  assert.equal(fail(limits.failures), 'too_many')
  const later = bounds.enter({ address: '10.0.0.1', at: at + limits.windowSeconds })
  assert.equal(later.is, 'entered')
})
