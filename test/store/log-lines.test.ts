/** The lines of a row of the access log: short whatever happens, and each use in one of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AuthorizationId } from '../../src/model/ids.ts'
import type { NotedUse, Use } from '../../src/model/use.ts'
import {
  addToLines,
  decodeLines,
  logLinesBytes,
  noLines,
  sortNewest,
} from '../../src/store/records/use/log-row.ts'

const day = 20_000
const midnight = day * 86_400

const use = (change: Partial<NotedUse> = {}): NotedUse => ({
  authorizationId: 'one' as AuthorizationId,
  used: 'photos:read',
  allowed: true,
  network: '192.0.2.*',
  uses: 1,
  lastAt: midnight,
  ...change,
})

const sum = (lines: readonly { readonly uses: number }[]): number =>
  lines.reduce((total, { uses }) => total + uses, 0)

const isShort = (text: string): boolean => Buffer.byteLength(text) <= logLinesBytes

test('what is stored is what was told', () => {
  const uses = [
    use({ lastAt: midnight + 59 }),
    use({ used: 'https://api.example/a "b"\n,[]:check', network: '', uses: 7 }),
    use({ allowed: false, network: '2001:db8:1:*', lastAt: midnight + 86_399 }),
  ]
  const found = sortNewest(decodeLines(day, addToLines(day, noLines, uses)))
  const midnightMinute = midnight / 60
  const line = { minutes: 1, allowed: true, uses: 1 }
  assert.deepEqual(
    found.map((one) => one.line),
    [
      {
        ...line,
        minute: midnightMinute + 1439,
        resource: 'photos',
        action: 'read',
        allowed: false,
        network: '2001:db8:1:*',
        lastAt: midnight + 86_399,
      },
      {
        ...line,
        minute: midnightMinute,
        resource: 'photos',
        action: 'read',
        network: '192.0.2.*',
        lastAt: midnight + 59,
      },
      {
        ...line,
        minute: midnightMinute,
        resource: 'https://api.example/a "b"\n,[]',
        action: 'check',
        network: '',
        uses: 7,
        lastAt: midnight,
      },
    ],
  )
})

test('a use every minute: the latest minutes stay apart, the hours before them as well', () => {
  let text = noLines
  let lines: readonly Use[] = []
  for (let minute = 0; minute < 1440; minute++) {
    text = addToLines(day, text, [use({ lastAt: midnight + minute * 60 + 30 })])
    lines = decodeLines(day, text)
    assert.ok(isShort(text))
    assert.equal(
      lines.some(({ minute: of, minutes }) => minutes === 1 && of === day * 1440 + minute),
      true,
    )
  }
  assert.equal(sum(lines), 1440)
  const whole = lines.filter(({ minutes, uses }) => minutes === 60 && uses === 60)
  assert.ok(whole.length >= 20, `${whole.length} whole hours`)
})

test('an application in very many networks cannot push out what it did', () => {
  let text = addToLines(day, noLines, [use({ used: 'contacts:write', uses: 3 })])
  for (let i = 0; i < 500; i++) {
    const network = `2001:db8:${i.toString(16)}:*`
    text = addToLines(day, text, [use({ network, lastAt: midnight + 3600 + i })])
  }
  const lines = decodeLines(day, text)
  assert.equal(sum(lines), 503)
  assert.ok(isShort(text))
  assert.equal(sum(lines.filter(({ resource }) => resource === 'contacts')), 3)
})

test('more items than fit: the latest are named, and all are counted', () => {
  let text = noLines
  for (let i = 0; i < 200; i++) {
    const target = `01k3hq9v7w00000000000${String(i).padStart(5, '0')}`
    text = addToLines(day, text, [use({ target, lastAt: midnight + i * 60 })])
    assert.ok(isShort(text))
    assert.ok(decodeLines(day, text).some((line) => line.target === target))
  }
  assert.equal(sum(decodeLines(day, text)), 200)
})

test('more resources than fit: the latest lines stay', () => {
  const uses = Array.from({ length: 200 }, (_, i) =>
    use({ used: `resource-number-${i}:read`, lastAt: midnight + i }),
  )
  const text = addToLines(day, noLines, uses)
  assert.ok(isShort(text))
  assert.equal(
    decodeLines(day, text).some(({ resource }) => resource === 'resource-number-199'),
    true,
  )
})

const anyUse = fc.record(
  {
    target: fc.constantFrom('lake', 'x'.repeat(100), '湖'.repeat(64), '"'.repeat(64)),
    authorizationId: fc.constant('one' as AuthorizationId),
    used: fc.constantFrom('photos:read', 'photos:write', 'api:check') as fc.Arbitrary<
      NotedUse['used']
    >,
    allowed: fc.boolean(),
    network: fc.constantFrom('', '192.0.2.*', '198.51.100.*', '2001:db8:1:*'),
    uses: fc.integer({ min: 1, max: 1_000_000 }),
    lastAt: fc.integer({ min: midnight, max: midnight + 86_399 }),
  },
  { requiredKeys: ['authorizationId', 'used', 'allowed', 'network', 'uses', 'lastAt'] },
)

test('whatever is added: nothing is lost, nothing told of another time, and it stays short', () => {
  const property = fc.property(
    fc.array(fc.array(anyUse, { maxLength: 40 }), { maxLength: 20 }),
    (batches) => {
      const text = batches.reduce((lines, uses) => addToLines(day, lines, uses), noLines)
      const lines = decodeLines(day, text)
      const all = batches.flat()
      assert.ok(isShort(text))
      const kinds = (of: readonly { readonly uses: number }[], keyOf: (one: never) => string) => {
        const sums = new Map<string, number>()
        for (const one of of) {
          const key = keyOf(one as never)
          sums.set(key, (sums.get(key) ?? 0) + one.uses)
        }
        return [...sums].sort()
      }
      assert.deepEqual(
        kinds(lines, ({ resource, action, allowed }: Use) => `${resource}:${action} ${allowed}`),
        kinds(all, ({ used, allowed }: NotedUse) => `${used} ${allowed}`),
      )
      for (const { minute, minutes, lastAt } of lines) {
        assert.equal(minute % minutes, 0)
        assert.ok(lastAt >= minute * 60 && lastAt < (minute + minutes) * 60)
      }
      const latest = Math.max(0, ...all.map(({ lastAt }) => lastAt))
      assert.equal(Math.max(0, ...lines.map(({ lastAt }) => lastAt)), latest)
    },
  )
  fc.assert(property)
})
