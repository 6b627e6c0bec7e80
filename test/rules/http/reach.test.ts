/** Which addresses an outbound request may reach. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createReach } from '../../../src/http/reach.ts'

const outside = createReach({ loopback: false, allowed: [] })
const demo = createReach({ loopback: true, allowed: [] })

describe('public addresses alone may be reached', () => {
  const open = [
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ]
  for (const address of open) {
    test(address, () => assert.equal(outside(address), 'open'))
  }

  const closed = {
    'this network': ['0.0.0.0', '0.255.255.255'],
    'this machine': ['127.0.0.1', '127.255.255.254', '::1'],
    unspecified: ['::', '0.0.0.0'],
    'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    'unique local': ['fc00::1', 'fd00:ec2::254'],
    'link-local, with the metadata of clouds': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
    'site-local': ['fec0::1'],
    CGNAT: ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
    'reserved and broadcast': ['240.0.0.1', '255.255.255.255'],
    'documentation and benchmarks': ['192.0.2.1', '198.18.0.1', '203.0.113.1', '2001:db8::1'],
    'protocol assignments': ['192.0.0.192', '192.88.99.1', '2001::1'],
    'the wire server of Azure': ['168.63.129.16'],
    'IPv4-mapped': [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::FFFF:10.0.0.1',
      '::ffff:169.254.169.254',
    ],
    'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8'],
    'translated IPv4': ['::ffff:0:8.8.8.8'],
    '6to4': ['2002:7f00:1::', '2002:808:808::1'],
    Teredo: ['2001:0:53aa:64c:0:7eff:5601:1'],
    NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
    'no address': ['', 'localhost', '127.1', '2130706433', '1.2.3.4.5', '[::1]'],
  }
  for (const [what, addresses] of Object.entries(closed)) {
    test(`not ${what}`, () => {
      assert.deepEqual(
        addresses.filter((address) => outside(address) !== 'closed'),
        [],
      )
    })
  }
})

test('in the demo this machine may be reached, and nothing else that is private', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    assert.equal(demo(address), 'loopback', address)
  }
  for (const address of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '::', 'fd00::1']) {
    assert.equal(demo(address), 'closed', address)
  }
})

test('what the operator lists may be reached, and nothing beside it', () => {
  const reach = createReach({
    loopback: false,
    allowed: ['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1'],
  })
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::9', '127.0.0.1']) {
    assert.equal(reach(address), 'open', address)
  }
  for (const address of ['10.2.0.1', 'fd00:2::9', '127.0.0.2', '::1']) {
    assert.equal(reach(address), 'closed', address)
  }
})

test('an IPv4 address is judged alike in every IPv6 spelling of it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      for (const prefix of ['::ffff:', '::FFFF:', '0:0:0:0:0:ffff:', '64:ff9b::']) {
        assert.equal(outside(prefix + address), outside(address), prefix + address)
      }
    }),
  )
})
