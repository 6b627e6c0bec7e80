/**
 * The name by which a certificate is known to be of a client: exactly one member of its registration (RFC 8705
 * section 2.1.2). Only a name of the same kind counts, whatever the others say.
 */
import { isIP } from 'node:net'
import type { Certificate } from '../crypto/certificate.ts'
import { parseGroups } from '../http/address.ts'
import type { ClientOpenid } from '../model/client.ts'
import { parseDistinguishedName, spellName } from './distinguished-name.ts'

export type CertificateMember = Extract<keyof ClientOpenid, `tls_client_auth_${string}`>

interface CertificateName {
  readonly member: CertificateMember
  /** What the member has to be, in words. */
  readonly what: string
  isRight(text: string): boolean
  isOf(certificate: Certificate, text: string): boolean
}

/** The tags of names (RFC 5280 section 4.2.1.6). */
const tags = { email: 0x81, dns: 0x82, uri: 0x86, address: 0x87 } as const

/** Whether one of the alternative names of a kind is this one, each written in one way. */
const hasName = (
  { alternativeNames }: Certificate,
  kind: keyof typeof tags,
  wanted: string,
  spell: (text: string) => string = (text) => text,
): boolean =>
  alternativeNames.some(
    ({ tag, bytes }) =>
      tag === tags[kind] && spell(Buffer.from(bytes).toString('latin1')) === spell(wanted),
  )

const spellHost = (name: string): string => name.toLowerCase()

/** The case of the host alone does not count (RFC 5280 section 7.5). */
const spellEmail = (address: string): string => {
  const at = address.lastIndexOf('@')
  return address.slice(0, at) + address.slice(at).toLowerCase()
}

const writeAddress = (text: string): string => {
  const groups =
    isIP(text) === 4
      ? text.split('.').map(Number)
      : parseGroups(text).flatMap((group) => [group >> 8, group & 0xff])
  return Buffer.from(groups).toString('latin1')
}

const ascii = /^[\x21-\x7e]+$/

export const certificateNames: readonly CertificateName[] = [
  {
    member: 'tls_client_auth_subject_dn',
    what: 'a distinguished name such as CN=client,O=Example,C=NL (RFC 4514)',
    isRight: (text) => parseDistinguishedName(text) !== null,
    isOf({ subject }, text) {
      const name = parseDistinguishedName(text)
      return name !== null && spellName(name) === spellName(subject)
    },
  },
  {
    member: 'tls_client_auth_san_dns',
    what: 'a host name without a wildcard',
    isRight: (text) => /^[a-z\d_](?:[a-z\d_.-]*[a-z\d_])?$/i.test(text),
    isOf: (certificate, text) => hasName(certificate, 'dns', text, spellHost),
  },
  {
    member: 'tls_client_auth_san_uri',
    what: 'a URI',
    isRight: (text) => ascii.test(text) && /^[a-z][a-z\d+.-]*:./i.test(text),
    isOf: (certificate, text) => hasName(certificate, 'uri', text),
  },
  {
    member: 'tls_client_auth_san_ip',
    what: 'an IPv4 or IPv6 address',
    isRight: (text) => isIP(text) !== 0 && !text.includes('%'),
    isOf: (certificate, text) => hasName(certificate, 'address', writeAddress(text)),
  },
  {
    member: 'tls_client_auth_san_email',
    what: 'an email address',
    isRight: (text) => ascii.test(text) && /^[^@]+@[^@]+$/.test(text),
    isOf: (certificate, text) => hasName(certificate, 'email', text, spellEmail),
  },
]

/** The registered ones. `tls_client_auth` has exactly one. */
export const listRegisteredNames = (openid: ClientOpenid) =>
  certificateNames.flatMap((name) => {
    const text = openid[name.member]
    return text === undefined ? [] : [{ ...name, text }]
  })
