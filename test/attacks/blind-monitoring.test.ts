/** Strangers fill no room for series, so the counts of everything else stay apart. */
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { before, describe, test } from 'node:test'
import { metricLimits } from '../../src/events/limits.ts'
import { createMetrics } from '../../src/events/metrics.ts'
import { urlCharacters } from '../../src/router.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { readMetrics } from '../support/metrics.ts'
import { listRows } from '../support/rows.ts'
import { startBefore } from '../support/start.ts'

/** Those of a socket, and some that only an embedding program hands on. */
const methods = [...METHODS, 'BREW', 'WHEN', 'A-1', 'A-2', 'A-3'].filter(
  (method) => !['CONNECT', 'TRACE'].includes(method),
)

/** Statuses with which a path can answer, and more. */
const statuses = [
  200, 201, 202, 204, 302, 303, 304, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503,
]

const all = listRows()

describe('a stranger with all methods', () => {
  const started = startBefore()
  before(async () => {
    for (const path of ['/login', '/token', '/api/photos']) {
      for (const method of methods) await started.ask(path, { method })
    }
    for (const method of methods) {
      await started.ask('/nowhere', { method })
      await started.ask('http://evil.example/login', { method })
    }
    await started.ask(`/${'x'.repeat(urlCharacters)}`)
    await started.post('/token', { grant_type: 'client_credentials' }, nightlyReport)
  })

  const families = async () => readMetrics((await started.ask('/metrics')).text)
  const labels = async (name: string) =>
    ((await families()).get(name)?.samples ?? []).map((sample) => sample.labels)

  test('makes one series of wrong methods for each known method', async () => {
    const made = await labels('latchkey_requests_total')
    const wrong = made.filter(({ status }) => status === '405')
    assert.deepEqual(
      wrong.map(({ route, method }) => `${route} ${method}`).toSorted(),
      ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT', 'other'].map(
        (method) => `(wrong method) ${method}`,
      ),
    )
    const known = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'other']
    assert.deepEqual([...new Set(made.map(({ method }) => method))].toSorted(), known)
    assert.ok(made.some(({ route, status }) => route === '/token' && status === '200'))
  })

  test('finds routes with a space in their names whole', async () => {
    const made = await labels('latchkey_requests_total')
    const elsewhere = made.filter(({ route }) => route === '(unknown host)')
    assert.deepEqual(new Set(elsewhere.map(({ status }) => status)), new Set(['421']))
    assert.deepEqual(
      made.filter(({ route }) => route === '(too long)'),
      [{ route: '(too long)', method: 'GET', status: '414' }],
    )
  })

  test('makes no refused login but by the method of logins', async () => {
    const logins = (await families()).get('latchkey_logins_total')?.samples ?? []
    const refused = logins.filter(({ labels: { outcome } }) => outcome === 'refused')
    assert.deepEqual(
      refused.map(({ value }) => value),
      [1, 0, 0, 0],
    )
  })

  test('leaves the log its paths and methods', () => {
    const brewed = started.notices.find(({ method }) => method === 'BREW')
    assert.deepEqual([brewed?.route, brewed?.status], ['/login', 405])
  })
})

test('there is room for every status of every route', () => {
  const metrics = createMetrics(() => 0)
  for (const { path, method } of all) {
    const answered = method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS']
    for (const one of answered) {
      for (const status of statuses) metrics.countRequest(path, one, status, 1, null)
    }
  }
  const family = metrics.families().find(({ name }) => name === 'latchkey_requests_total')
  const samples = family !== undefined && 'samples' in family ? family.samples : []
  assert.ok(samples.length < metricLimits.series)
})
