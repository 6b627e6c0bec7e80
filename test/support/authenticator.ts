/** A device that keeps passkeys, in software: makes ES256 keys and signs with them, right or as wrong as told. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { makersCertificate, signAsMaker } from './attestation.ts'
import { type Browser, type FoundForm, formsOf, type Page } from './browser.ts'
import type { Form } from './start.ts'

/** The options of a page for a device, and the URL for its answer. */
export interface Asked {
  readonly page: Page
  readonly form: FoundForm
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever was asked.
  readonly options: any
}

/** The form of a page that a script would fill in. */
export const askedOn = (page: Page): Asked => {
  const [tag = '', options = ''] = /<form\b[^>]*data-options="([^"]*)"[^>]*>/.exec(page.text) ?? []
  const forms = formsOf(page.text.slice(page.text.indexOf(tag)))
  if (tag === '' || forms[0] === undefined) throw new Error(`no passkey is asked for: ${page.text}`)
  const json = options.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  return { page, form: forms[0], options: JSON.parse(json) }
}

/** How an answer differs from a right one. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  /** The browser's claim about the page's frame. */
  readonly crossOrigin?: unknown
  readonly topOrigin?: string
  readonly verified?: boolean
  readonly present?: boolean
  readonly counter?: number
  readonly backedUp?: boolean
  readonly eligible?: boolean
  /** Of whom the device says that it is; null: it says nothing. */
  readonly userHandle?: string | null
  /** `packed`: the key signs for itself. */
  readonly fmt?: 'packed'
  /** A right statement of the device's maker, with a certificate, in this format. */
  readonly certified?: 'packed' | 'fido-u2f'
}

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()
const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

/** CBOR (RFC 8949), as much of it as is needed here. */
const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = [...(value as ReadonlyMap<number | string, Cbor>)]
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([k, v]) => [cbor(k), cbor(v)]),
  ])
}

interface Kept {
  readonly key: KeyObject
  readonly rpId: string
  readonly userHandle: string
  counter: number
}

export class Authenticator {
  readonly origin: string
  /** False: it says 0 each time, as those do whose keys are copied. */
  readonly #counts: boolean
  readonly passkeys = new Map<string, Kept>()

  constructor(origin: string, counts = false) {
    this.origin = origin
    this.#counts = counts
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? this.origin,
        crossOrigin: deviation.crossOrigin ?? false,
        topOrigin: deviation.topOrigin,
      }),
    )
  }

  #authenticatorData(rpId: string, counter: number, attested: Buffer, d: Deviation): Buffer {
    const flags =
      ((d.present ?? true) ? 1 : 0) |
      ((d.verified ?? true) ? 4 : 0) |
      ((d.eligible ?? true) ? 8 : 0) |
      (d.backedUp ? 16 : 0) |
      (attested.length > 0 ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(d.counter ?? counter)
    return Buffer.concat([sha256(d.rpId ?? rpId), Buffer.from([flags]), count, attested])
  }

  /** What `navigator.credentials.create` would answer. */
  create({ options }: Pick<Asked, 'options'>, deviation: Deviation = {}): string {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const id = randomBytes(16)
    const cose = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const counter = this.#counts ? 1 : 0
    const authData = this.#authenticatorData(options.rp.id, counter, attested, deviation)
    const clientData = this.#clientData('webauthn.create', options.challenge, deviation)
    const signed = Buffer.concat([authData, sha256(clientData)])
    const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    const statements: Readonly<Record<string, () => readonly (readonly [string, Cbor])[]>> = {
      none: () => [],
      'packed by itself': () => [
        ['alg', -7],
        ['sig', sign('sha256', signed, privateKey)],
      ],
      packed: () => [
        ['alg', -7],
        ['sig', signAsMaker(signed)],
        ['x5c', [makersCertificate]],
      ],
      'fido-u2f': () => {
        const rpIdHash = sha256(options.rp.id)
        const parts = [Buffer.from([0]), rpIdHash, sha256(clientData), id, ...point]
        return [
          ['sig', signAsMaker(Buffer.concat(parts))],
          ['x5c', [makersCertificate]],
        ]
      },
    }
    const { fmt, certified } = deviation
    const statement = certified ?? (fmt === undefined ? 'none' : 'packed by itself')
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', certified ?? fmt ?? 'none'],
        ['attStmt', new Map(statements[statement]?.())],
        ['authData', authData],
      ]),
    )
    const { user } = options
    this.passkeys.set(text(id), {
      key: privateKey,
      rpId: options.rp.id,
      userHandle: user.id,
      counter,
    })
    return JSON.stringify({
      id: text(id),
      response: {
        clientDataJSON: text(clientData),
        attestationObject: text(attestationObject),
        transports: ['internal'],
      },
    })
  }

  /** The answer of `navigator.credentials.get`, with the latest passkey. */
  get({ options }: Pick<Asked, 'options'>, deviation: Deviation = {}, id?: string): string {
    const chosen = id ?? [...this.passkeys.keys()].at(-1) ?? ''
    const kept = this.passkeys.get(chosen)
    if (kept === undefined) throw new Error('this device has no such passkey')
    if (this.#counts) kept.counter += 1
    const nothing = Buffer.alloc(0)
    const authData = this.#authenticatorData(options.rpId, kept.counter, nothing, deviation)
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation)
    const userHandle = deviation.userHandle === undefined ? kept.userHandle : deviation.userHandle
    return JSON.stringify({
      id: chosen,
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(sign('sha256', Buffer.concat([authData, sha256(clientData)]), kept.key)),
        userHandle,
      },
    })
  }
}

/** Sends what a device answered, as the script of the page does. */
export const answerAsked = (
  browser: Browser,
  { page, form }: Asked,
  credential: string,
  changes: Form = {},
): Promise<Page> => browser.submitForm(page, form, { credential, ...changes })
