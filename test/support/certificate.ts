/** Certificates that sign themselves, written byte by byte: nothing but Node is needed to make one. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

/** DER (X.690): a tag, the length, the content. */
export const der = (tag: number, ...content: readonly (Uint8Array | number)[]): Buffer => {
  const inside = Buffer.concat(
    content.map((one) => Buffer.from(typeof one === 'number' ? [one] : one)),
  )
  const { length } = inside
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), inside])
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const text = (value: string): Buffer => Buffer.from(value, 'latin1')

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))

/** `CN=test` */
const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, text('test')))))

const general = (host: string): Buffer =>
  isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, text(host))

/** As a certificate writes a time: `491231235959Z` is the end of 2049. */
export const certificateTime = (at: Date): string =>
  `${at
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(2)}`

/**
 * One for these host names and IPv4 addresses; whoever trusts it trusts it alone.
 *
 * @param until as `certificateTime` writes it
 */
export const selfSigned = (hosts: readonly string[], until = '491231235959Z'): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = sequence(oid('551d11'), der(0x04, sequence(...hosts.map(general))))
  const statement = sequence(
    der(0xa0, der(0x02, 2)),
    der(0x02, 1),
    ecdsaWithSha256,
    name,
    sequence(der(0x17, text('200101000000Z')), der(0x17, text(until))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names)),
  )
  const signature = der(0x03, 0, sign('sha256', statement, privateKey))
  // The length of the signature differs, and an empty line at the end would break the certificate.
  const base64 = sequence(statement, ecdsaWithSha256, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
