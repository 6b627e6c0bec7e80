/** Chains from the certificate of a client to an authority of the operator (RFC 5280 section 6.1). */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Certificate, parseCertificate } from '../../../src/crypto/certificate.ts'
import { findChainFault, readAuthorities } from '../../../src/crypto/certificate-chain.ts'
import {
  alternative,
  authorityOnly,
  clientUse,
  extendedKeyUsage,
  extension,
  type Issued,
  issueCertificate,
  keyUsage,
  makeAuthority,
  serverUse,
} from '../../support/authority.ts'
import { sequence } from '../../support/certificate.ts'

const at = Date.UTC(2026, 10, 21) / 1000

const root = makeAuthority('root')
const middle = makeAuthority('middle', root, 0)
const subject = [['CN', 'client']] as const
const leaf = issueCertificate({ subject, by: root })

const open = ({ der }: Pick<Issued, 'der'>): Certificate => {
  const certificate = parseCertificate(der)
  assert.ok(certificate !== null)
  return certificate
}

const faultOf = (
  one: Issued,
  between: readonly Issued[] = [],
  authorities: readonly Issued[] = [root],
  now = at,
) => findChainFault(open(one), between.map(open), authorities.map(open), now)

describe('a certificate is taken', () => {
  test('from the authority itself', () => assert.equal(faultOf(leaf), null))

  test('through authorities between, in any order', () => {
    const upper = makeAuthority('upper', root)
    const lower = makeAuthority('lower', upper)
    const one = issueCertificate({ subject, by: lower })
    assert.equal(faultOf(one, [lower, upper]), null)
    assert.equal(faultOf(one, [upper, lower]), null)
  })

  test('from an authority that is not at the top', () => {
    assert.equal(faultOf(issueCertificate({ subject, by: middle }), [], [middle]), null)
  })

  test('with a root at the end that nobody asked for', () => {
    assert.equal(faultOf(issueCertificate({ subject, by: middle }), [middle, root]), null)
  })

  test('for clients and for signatures, where it says so', () => {
    const extensions = [keyUsage(0x80), extendedKeyUsage(serverUse, clientUse)]
    assert.equal(faultOf(issueCertificate({ subject, by: root, extensions })), null)
  })

  test('of RSA with 2,048 bits, from RSA', () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const authority = issueCertificate({
      subject: [['CN', 'rsa']],
      keys,
      extensions: [authorityOnly()],
    })
    const one = issueCertificate({ subject, by: authority, keys })
    assert.equal(faultOf(one, [], [authority]), null)
  })
})

describe('the dates are those of the clock of the service', () => {
  const from = new Date((at - 10) * 1000)
  const until = new Date((at + 10) * 1000)
  const one = issueCertificate({ subject, by: root, from, until })
  for (const [name, now, fault] of [
    ['too early', at - 11, 'certificate_date'],
    ['the first second', at - 10, null],
    ['the last second', at + 10, null],
    ['too late', at + 11, 'certificate_date'],
  ] as const) {
    test(name, () => assert.equal(faultOf(one, [], [root], now), fault))
  }

  test('an authority between that has expired', () => {
    const old = issueCertificate({
      subject: [['CN', 'old']],
      by: root,
      extensions: [authorityOnly()],
      until: new Date((at - 1) * 1000),
    })
    const from = issueCertificate({ subject, by: old })
    assert.equal(faultOf(from, [old]), 'certificate_authority')
  })
})

const issuedBy = (extensions: readonly Buffer[], name = 'between'): readonly [Issued, Issued] => {
  const between = issueCertificate({ subject: [['CN', name]], by: root, extensions })
  return [issueCertificate({ subject, by: between }), between]
}

describe('no authority stands behind', () => {
  const refused = (one: Issued, between: readonly Issued[] = []): void =>
    assert.equal(faultOf(one, between), 'certificate_authority')

  test('a certificate of an unknown authority', () =>
    refused(issueCertificate({ subject, by: makeAuthority('other') })))

  test('one of an authority that merely has the same name', () =>
    refused(issueCertificate({ subject, by: makeAuthority('root') })))

  test('one that signed itself', () => refused(issueCertificate({ subject })))

  test('one of another leaf', () => refused(issueCertificate({ subject, by: leaf }), [leaf]))

  test('one of a certificate with CA:FALSE', () => {
    const [one, between] = issuedBy([extension('2.5.29.19', sequence(), true)])
    refused(one, [between])
  })

  test('one of an authority that may not sign certificates', () => {
    const [one, between] = issuedBy([authorityOnly(), keyUsage(0x80)])
    refused(one, [between])
  })

  test('one beyond the length of the path', () => {
    const lower = makeAuthority('lower', middle)
    refused(issueCertificate({ subject, by: lower }), [lower, middle])
  })

  test('one of an authority for servers alone', () => {
    const [one, between] = issuedBy([authorityOnly(), extendedKeyUsage(serverUse)])
    refused(one, [between])
  })

  test('one of an authority whose names are bounded', () => {
    const [one, between] = issuedBy([authorityOnly(), extension('2.5.29.30', sequence())])
    refused(one, [between])
  })

  test('one under SHA-1', () => refused(issueCertificate({ subject, by: root, digest: 'sha1' })))

  test('one of an authority with 1,024 bits', () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const weak = issueCertificate({
      subject: [['CN', 'weak']],
      by: root,
      keys,
      extensions: [authorityOnly()],
    })
    refused(issueCertificate({ subject, by: weak }), [weak])
  })

  test('one whose signature was changed', () => {
    const changed = Buffer.from(leaf.der)
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    refused({ ...leaf, der: changed })
  })
})

describe('a certificate is not for clients', () => {
  const refused = (...extensions: readonly Buffer[]): void =>
    assert.equal(faultOf(issueCertificate({ subject, by: root, extensions })), 'certificate_use')

  test('for servers alone', () => refused(extendedKeyUsage(serverUse)))
  test('not for signatures', () => refused(keyUsage(0x20)))
  test('with a critical extension that nobody here knows', () =>
    refused(extension('1.2.3.4', sequence(), true)))
  test('with a key of 1,024 bits', () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 1024 })
    assert.equal(faultOf(issueCertificate({ subject, by: root, keys })), 'certificate_use')
  })
})

describe('keys that make each check slow', () => {
  const long = generateKeyPairSync('rsa', { modulusLength: 4104 })
  const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits })

  /** A key that says of itself to have this exponent. The signatures beneath are not by it. */
  const withExponent = (exponent: Buffer) => {
    const { privateKey, publicKey } = rsa(2048)
    const key = { ...publicKey.export({ format: 'jwk' }), e: exponent.toString('base64url') }
    return { privateKey, publicKey: createPublicKey({ format: 'jwk', key }) }
  }
  const authorityOf = (keys: ReturnType<typeof rsa>): Issued =>
    issueCertificate({ subject: [['CN', 'slow']], by: root, keys, extensions: [authorityOnly()] })

  test('an exponent of more than 32 bits is not calculated with', () => {
    for (const [exponent, checks] of [
      [Buffer.from([1, 0, 1]), 1],
      [Buffer.from([255, 255, 255, 255]), 1],
      [Buffer.from([1, 0, 0, 0, 1]), 0],
      [Buffer.alloc(255, 255), 0],
    ] as const) {
      const between = authorityOf(withExponent(exponent))
      const leaf = open(issueCertificate({ subject, by: between }))
      let checked = 0
      const counted: Certificate = {
        ...leaf,
        isSignedBy: (key) => {
          checked++
          return leaf.isSignedBy(key)
        },
      }
      findChainFault(counted, [open(between)], [open(root)], at)
      assert.equal(checked, checks)
    }
  })

  test('4,096 bits are taken from a client, and no more', () => {
    for (const [keys, fault] of [
      [rsa(4096), null],
      [long, 'certificate_authority'],
    ] as const) {
      const between = authorityOf(keys)
      assert.equal(faultOf(issueCertificate({ subject, by: between }), [between]), fault)
    }
    assert.equal(faultOf(issueCertificate({ subject, by: root, keys: long })), 'certificate_use')
  })

  test('an authority of the operator may have more', () => {
    const authority = authorityOf(long)
    assert.equal(faultOf(issueCertificate({ subject, by: authority }), [], [authority]), null)
  })
})

describe('the setting', () => {
  test('takes authorities, and is read once', () => {
    const list = [root.base64, middle.base64]
    assert.equal(readAuthorities(list)?.length, 2)
    assert.equal(readAuthorities(list), readAuthorities(list))
  })

  test('refuses a list with the certificate of a client, or with no certificate', () => {
    assert.equal(readAuthorities([root.base64, leaf.base64]), null)
    assert.equal(readAuthorities([Buffer.from('no certificate').toString('base64')]), null)
  })
})

describe('no certificate at all', () => {
  const rows: readonly [string, Uint8Array][] = [
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from(leaf.pem)],
    ['a certificate with a byte behind it', Buffer.concat([leaf.der, Buffer.from([0])])],
    ['a certificate that is cut off', leaf.der.subarray(0, -1)],
    [
      'an extension that comes twice',
      issueCertificate({
        subject,
        names: [alternative.dns('a.example')],
        extensions: [extension('2.5.29.17', sequence(alternative.dns('b.example')))],
      }).der,
    ],
  ]
  for (const [name, bytes] of rows) {
    test(name, () => assert.equal(parseCertificate(bytes), null))
  }
})
