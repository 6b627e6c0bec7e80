/** Names of certificates as a registration writes them (RFC 4514), and their comparison (RFC 4517 section 4.2.15). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { certificateNames } from '../../../src/clients/certificate-names.ts'
import {
  formatName,
  parseDistinguishedName,
  spellName,
} from '../../../src/clients/distinguished-name.ts'
import { parseCertificate } from '../../../src/crypto/certificate.ts'
import {
  type Attribute,
  alternative,
  issueCertificate,
  type NameParts,
  newEcKeys,
} from '../../support/authority.ts'

const keys = newEcKeys()

/** Whether a certificate with these names is the one that the member of the registration names. */
const isNamed = (
  kind: 'subject_dn' | 'san_dns' | 'san_uri' | 'san_ip' | 'san_email',
  text: string,
  subject: NameParts,
  names: readonly Buffer[] = [],
): boolean => {
  const certificate = parseCertificate(issueCertificate({ subject, names, keys }).der)
  const name = certificateNames.find(({ member }) => member === `tls_client_auth_${kind}`)
  assert.ok(certificate !== null && name !== undefined)
  assert.ok(name.isRight(text), `${text} is no ${name.what}`)
  return name.isOf(certificate, text)
}

const subject: NameParts = [
  ['C', 'NL', 'printable'],
  ['O', 'Example, Inc.'],
  ['CN', 'client'],
]

describe('the subject', () => {
  const rows: readonly [string, string, NameParts, boolean][] = [
    ['as RFC 4514 writes it: the root last', 'CN=client,O=Example\\, Inc.,C=NL', subject, true],
    ['with a comma as bytes', 'CN=client,O=Example\\2c Inc.,C=NL', subject, true],
    ['with blanks around the separators', 'CN=client, O = Example\\, Inc. , C=NL', subject, true],
    ['in another case', 'cn=CLIENT,o=example\\, inc.,c=nl', subject, true],
    ['with types as numbers', '2.5.4.3=client,2.5.4.10=Example\\, Inc.,2.5.4.6=NL', subject, true],
    ['with a value as DER', 'CN=#0c06636c69656e74,O=Example\\, Inc.,C=NL', subject, true],
    ['the root first', 'C=NL,O=Example\\, Inc.,CN=client', subject, false],
    ['less than all', 'CN=client,C=NL', subject, false],
    ['the end alone', 'CN=client', subject, false],
    ['more than all', 'CN=client,OU=x,O=Example\\, Inc.,C=NL', subject, false],
    ['another value', 'CN=client2,O=Example\\, Inc.,C=NL', subject, false],
    ['UTF8String like PrintableString', 'CN=a', [['CN', 'a', 'printable']], true],
    ['UTF8String like BMPString', 'CN=\u00e4', [['CN', '\u00e4', 'bmp']], true],
    ['composed like decomposed', 'CN=\u00e4', [['CN', 'a\u0308']], true],
    ['several blanks like one', 'CN=a  b', [['CN', ' a b ']], true],
    ['an escaped blank at the end', 'CN=a\\ ', [['CN', 'a']], true],
    ['one value with a separator for two parts', 'CN=a,O=b', [['CN', 'a,O=b']], false],
    [
      'two parts for one value with a separator',
      'CN=a\\,O=b',
      [
        ['O', 'b'],
        ['CN', 'a'],
      ],
      false,
    ],
    ['a plus sign in a value for two of one rank', 'CN=a+O=b', [['CN', 'a+O=b']], false],
    [
      'two of one rank',
      'CN=a+O=b',
      [
        [
          ['O', 'b'],
          ['CN', 'a'],
        ],
      ],
      true,
    ],
    [
      'two of one rank for two ranks',
      'CN=a+O=b',
      [
        ['O', 'b'],
        ['CN', 'a'],
      ],
      false,
    ],
    ['NUL behind the name', 'CN=a', [['CN', 'a\0.evil']], false],
    ['a letter of another alphabet', 'CN=a', [['CN', '\u0430']], false],
    ['a common name in another attribute', 'CN=a', [['O', 'a']], false],
    [
      'domain components',
      'DC=app,DC=example',
      [
        ['DC', 'example', 'ia5'],
        ['DC', 'app', 'ia5'],
      ],
      true,
    ],
    ['an equals sign in a value', 'CN=a=b', [['CN', 'a=b']], true],
  ]
  for (const [name, text, parts, expected] of rows) {
    test(`${name}: ${expected ? 'equal' : 'different'}`, () =>
      assert.equal(isNamed('subject_dn', text, parts), expected))
  }

  for (const text of [
    '',
    ' ',
    'client',
    'CN=',
    '=client',
    'CN=client,',
    'CN=a++O=b',
    'shoeSize=46',
    'CN="client"',
    'CN=a;O=b',
    'CN=<a>',
    'CN=a\\',
    'CN=a\\x',
    'CN=#',
    'CN=#0c',
    'CN=#zz',
    'CN=\\ff',
    '1..2=a',
  ]) {
    test(`is malformed: ${text}`, () => assert.equal(parseDistinguishedName(text), null))
  }

  const escapeValue = (value: string): string =>
    value.replaceAll(/[ "#+,;<=>\\]/g, '\\$&').replaceAll('\0', '\\00')

  test('whatever a value is, its text leads back to it', () => {
    const attribute = fc.tuple(
      fc.constantFrom('CN', 'O', 'OU', 'L'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => text.toWellFormed()),
    )
    fc.assert(
      fc.property(fc.array(attribute, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts
          .map(([type, value]) => `${type}=${escapeValue(value)}`)
          .toReversed()
          .join(',')
        const certificate = parseCertificate(
          issueCertificate({ subject: parts satisfies Attribute[], keys }).der,
        )
        const parsed = parseDistinguishedName(text)
        assert.ok(parsed !== null && certificate !== null)
        assert.deepEqual(parsed, certificate.subject)
        assert.equal(spellName(parsed), spellName(certificate.subject))
        assert.deepEqual(parseDistinguishedName(formatName(parsed)), parsed)
      }),
      { numRuns: 100 },
    )
  })

  test('no text makes the parser fail', () => {
    const pieces = fc.constantFrom('CN', '=', ',', '+', '\\', '#', '2c', 'a', ' ', '0c01', '"')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (all) => {
        const name = parseDistinguishedName(all.join(''))
        assert.ok(name === null || name.length > 0)
      }),
    )
  })
})

describe('alternative names', () => {
  const cn: NameParts = [['CN', 'client.example']]
  const { dns, uri, ip, email } = alternative
  const rows: readonly [
    string,
    Parameters<typeof isNamed>[0],
    string,
    readonly Buffer[],
    boolean,
  ][] = [
    ['a host name', 'san_dns', 'client.example', [dns('a.example'), dns('Client.Example')], true],
    ['a host name in the subject alone', 'san_dns', 'client.example', [], false],
    ['a host name as URI', 'san_dns', 'client.example', [uri('client.example')], false],
    ['a host name as email address', 'san_dns', 'client.example', [email('client.example')], false],
    ['a wildcard', 'san_dns', 'client.example', [dns('*.example')], false],
    ['a longer host name', 'san_dns', 'client.example', [dns('client.example.evil')], false],
    ['NUL behind a host name', 'san_dns', 'client.example', [dns('client.example\0.evil')], false],
    ['a URI', 'san_uri', 'spiffe://a/b', [uri('spiffe://a/b')], true],
    ['a URI in another case', 'san_uri', 'spiffe://a/b', [uri('spiffe://a/B')], false],
    ['an IPv4 address', 'san_ip', '192.0.2.1', [ip(192, 0, 2, 1)], true],
    ['an IPv4 address as host name', 'san_ip', '192.0.2.1', [dns('192.0.2.1')], false],
    [
      'an IPv6 address in another spelling',
      'san_ip',
      '2001:DB8:0::1',
      [ip(0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
      true,
    ],
    ['a network', 'san_ip', '192.0.2.1', [ip(192, 0, 2, 1, 255, 255, 255, 255)], false],
    ['an email address', 'san_email', 'a@Example.org', [email('a@example.ORG')], true],
    ['another person there', 'san_email', 'A@example.org', [email('a@example.org')], false],
  ]
  for (const [name, kind, text, names, expected] of rows) {
    test(`${name}: ${expected ? 'equal' : 'different'}`, () =>
      assert.equal(isNamed(kind, text, cn, names), expected))
  }

  for (const [kind, text] of [
    ['san_dns', '*.example'],
    ['san_dns', ''],
    ['san_ip', '192.0.2.256'],
    ['san_ip', 'fe80::1%eth0'],
    ['san_email', 'nobody'],
    ['san_uri', 'no-uri'],
  ] as const) {
    test(`${kind} is malformed: ${text}`, () => {
      const name = certificateNames.find(({ member }) => member === `tls_client_auth_${kind}`)
      assert.equal(name?.isRight(text), false)
    })
  }
})
