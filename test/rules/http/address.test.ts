/** LG-10: the address of a request. Only trusted proxies are believed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  getAddressKey,
  getNetwork,
  listNetworks,
  listRanges,
  readAddress,
} from '../../../src/http/address.ts'

const nobody = listRanges([])
const proxies = listRanges(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])

describe('the address', () => {
  const rows: readonly [string, string, string | null, string][] = [
    ['no proxy: the peer', '203.0.113.9', null, '203.0.113.9'],
    ['a stranger says what it likes: the peer', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
    ['a proxy: what it saw', '10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['a proxy: what it saw stands last', '10.1.2.3', '192.0.2.1, 198.51.100.7', '198.51.100.7'],
    ['two proxies: what the first saw', '127.0.0.1', '198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['blanks do not count', '127.0.0.1', ' 192.0.2.1 ,  198.51.100.7  ', '198.51.100.7'],
    ['all of them proxies: the outermost', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['a proxy that says nothing: the proxy', '127.0.0.1', null, '127.0.0.1'],
    ['a proxy that says nonsense: the proxy', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['an empty header: the proxy', '127.0.0.1', '', '127.0.0.1'],
    ['nonsense in the middle ends the walk', '127.0.0.1', '192.0.2.1, x, 10.0.0.2', '10.0.0.2'],
    ['an address with a port', '127.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['IPv6 with a port', '127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['IPv6 in brackets', '127.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['IPv4 written as IPv6 with a port', '127.0.0.1', '[::ffff:10.0.0.2]:1', '10.0.0.2'],
    ['a proxy with a port', '127.0.0.1', '198.51.100.7:1, 10.0.0.2:2', '198.51.100.7'],
    ['a port that is none', '127.0.0.1', '198.51.100.7:x', '127.0.0.1'],
    ['brackets without an end', '127.0.0.1', '[2001:db8::7', '127.0.0.1'],
    ['brackets without a beginning', '127.0.0.1', '2001:db8::7]:1', '127.0.0.1'],
    ['IPv4 in brackets', '127.0.0.1', '[198.51.100.7]:1', '127.0.0.1'],
    ['an address out of range, with a port', '127.0.0.1', '198.51.100.777:1', '127.0.0.1'],
    ['IPv6', 'fd00::1', '2001:db8::7', '2001:db8::7'],
    ['IPv4 written as IPv6 is IPv4', '::ffff:203.0.113.9', null, '203.0.113.9'],
    ['a proxy written so is trusted', '::ffff:10.0.0.1', '::FFFF:198.51.100.7', '198.51.100.7'],
    ['a peer that is gone', '', '198.51.100.7', ''],
  ]
  for (const [what, peer, forwarded, expected] of rows) {
    test(what, () => assert.equal(readAddress(peer, forwarded, proxies), expected))
  }

  const address = fc.oneof(fc.ipV4(), fc.ipV6())

  test('without trusted proxies no header moves it', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.string(), (peer, forwarded) => {
        assert.equal(readAddress(peer, forwarded, nobody), peer)
      }),
    )
  })

  test('behind one proxy nothing that stands before its own entry matters', () => {
    const outside = fc.ipV4().filter((text) => !/^(10|127)\./.test(text))
    const claimed = fc.array(fc.oneof(address, fc.string()))
    fc.assert(
      fc.property(claimed, outside, (spoofed, seen) => {
        const forwarded = [...spoofed, seen].join(', ')
        assert.equal(readAddress('127.0.0.1', forwarded, proxies), seen)
      }),
    )
  })
})

describe('the key that limits count by', () => {
  const rows: readonly [string, string][] = [
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['::2:3:4:5:6:1.2.3.4', '0:2:3:4::/64'],
    ['64:ff9b::198.51.100.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ]
  for (const [address, key] of rows) {
    test(address || 'none', () => assert.equal(getAddressKey(address), key))
  }

  const group = fc.nat({ max: 0xffff })
  const groups = fc.tuple(...Array.from({ length: 8 }, () => group))

  /** Ways to write eight groups: full, padded, upper case, the longest run of zeros left out. */
  const spellings = (of: readonly number[]): readonly string[] => {
    const full = of.map((one) => one.toString(16))
    const padded = full.map((one) => one.padStart(4, '0').toUpperCase())
    const compressed = new URL(`http://[${full.join(':')}]`).hostname.slice(1, -1)
    const [high = 0, low = 0] = of.slice(6)
    const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.')
    return [full.join(':'), padded.join(':'), compressed, [...full.slice(0, 6), dotted].join(':')]
  }

  test('is the first half of an IPv6 address, however it is written', () => {
    const sparse = fc.tuple(...Array.from({ length: 8 }, () => fc.oneof(fc.constant(0), group)))
    fc.assert(
      fc.property(fc.oneof(groups, sparse), (of) => {
        const half = of.slice(0, 4).map((one) => one.toString(16))
        for (const text of spellings(of))
          assert.equal(getAddressKey(text), `${half.join(':')}::/64`)
      }),
    )
  })

  test('differs where the first half differs, and only there', () => {
    fc.assert(
      fc.property(groups, groups, (a, b) => {
        const [left, right] = [a, b].map((of) => of.map((one) => one.toString(16)).join(':'))
        const same = a.slice(0, 4).join() === b.slice(0, 4).join()
        assert.equal(getAddressKey(left ?? '') === getAddressKey(right ?? ''), same)
      }),
    )
  })
})

describe('the networks that wrong tries are counted by', () => {
  const rows: readonly [string, readonly (readonly [string, number])[]][] = [
    ['203.0.113.9', [['203.0.113.9', 32]]],
    [
      '2001:db8:1:2fe::9',
      [
        ['2001:db8:1:2fe::/64', 64],
        ['2001:db8:1:200::/56', 56],
        ['2001:db8:1::/48', 48],
      ],
    ],
    [
      '2001:0DB8::FF',
      [
        ['2001:db8:0:0::/64', 64],
        ['2001:db8:0:0::/56', 56],
        ['2001:db8:0::/48', 48],
      ],
    ],
    ['', [['', 32]]],
  ]
  for (const [address, expected] of rows) {
    test(address || 'none', () =>
      assert.deepEqual(
        listNetworks(address).map(({ key, bits }) => [key, bits]),
        expected,
      ),
    )
  }

  test('are the same for two addresses as far as their first bits are', () => {
    const group = fc.nat({ max: 0xffff })
    const site = fc.tuple(group, group, group)
    fc.assert(
      fc.property(site, site, group, group, (a, b, c, d) => {
        const [left, right] = [
          [...a, c],
          [...b, d],
        ].map((groups) => listNetworks(`${groups.map((one) => one.toString(16)).join(':')}::1`))
        const isSite = a.join() === b.join()
        const same = [isSite && c === d, isSite && c >> 8 === d >> 8, isSite]
        assert.deepEqual(
          left?.map(({ key }, i) => key === right?.[i]?.key),
          same,
        )
      }),
      {
        examples: [
          [[1, 2, 3], [1, 2, 3], 0x4201, 0x42ff],
          [[1, 2, 3], [1, 2, 3], 1, 0x100],
        ],
      },
    )
  })
})

describe('the network that is kept of an address', () => {
  const rows: readonly [string, string][] = [
    ['203.0.113.9', '203.0.113.*'],
    ['127.0.0.1', '127.0.0.*'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:*'],
    ['2001:0DB8::9', '2001:db8:0:*'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:*'],
    ['', ''],
    ['<b>', ''],
  ]
  for (const [address, expected] of rows) {
    test(`${address === '' ? 'none' : address} is kept as ${expected === '' ? 'nothing' : expected}`, () =>
      assert.equal(getNetwork(address), expected))
  }

  test('two hosts of one network look alike, whatever text comes', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) =>
        assert.match(getNetwork(address), /^(?:[\da-f]{1,4}:){3}\*$/),
      ),
    )
    fc.assert(fc.property(fc.string(), (text) => assert.ok(getNetwork(text).length <= 16)))
  })
})
