/**
 * Bytes in order, as base64url. Everything is written and read at one go, so one buffer serves all:
 * to allocate one each time costs more than the work itself.
 */
import { idBytes, packId, unpackId } from '../ids.ts'

/** Thrown for bytes that no `Writer` wrote. The fault has no stack, since strangers cause it. */
export const malformed: unique symbol = Symbol('malformed')

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const values = Int8Array.from({ length: 128 }, (_, code) =>
  digits.indexOf(String.fromCharCode(code)),
)

/** Digests: the 43 characters of a SHA-256 in base64url. In a loop, this takes half the time of `Buffer`. */
const digestBytes = 32

/** Ten times four characters, and three: the last of them stands for four bits and two zeros. */
const wholeGroups = 10
const characters = 4 * wholeGroups + 3

/** The 24 bits of four characters; negative if one of them is no digit. */
const readBits = (text: string, at: number): number => {
  const value = (i: number): number => values[text.charCodeAt(at + i)] ?? -1
  return (value(0) << 18) | (value(1) << 12) | (value(2) << 6) | value(3)
}

/**
 * Writes the bytes of a digest.
 *
 * @returns false for any other text or spelling; ignore the bytes then
 */
const packDigest = (text: string, to: Uint8Array, at: number): boolean => {
  if (text.length !== characters) return false
  let place = at
  for (let i = 0; i < wholeGroups; i++) {
    const bits = readBits(text, 4 * i)
    if (bits < 0) return false
    to[place++] = bits >> 16
    to[place++] = bits >> 8
    to[place++] = bits
  }
  const last = readBits(`${text.slice(-3)}A`, 0)
  if (last < 0 || (last & 255) !== 0) return false
  to[place++] = last >> 16
  to[place] = last >> 8
  return true
}

/** The two forms of a text that may be short. */
const plain = 0
const packed = 1

let shared = Buffer.alloc(4096)

/** Makes room for so many more bytes. What is written already stays. */
const reserve = (length: number, bytes: number): void => {
  if (length + bytes <= shared.length) return
  const larger = Buffer.alloc(2 * (length + bytes))
  larger.set(shared)
  shared = larger
}

export class Writer {
  #length = 0

  /** A whole number from 0 on: seven bits in each byte, the lowest first. So one below 128 is a byte. */
  number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error('expected a whole number')
    reserve(this.#length, 8)
    let rest = value
    while (rest > 127) {
      shared[this.#length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    shared[this.#length++] = rest
  }

  /**
   * Any text: its length and its width, then one or two bytes for each code unit.
   *
   * @param from the characters before it are left out
   */
  text(value: string, from = 0): void {
    const length = value.length - from
    const header = this.#length
    this.number(2 * length)
    reserve(this.#length, 2 * length)
    let units = 0
    let at = this.#length
    for (let i = from; i < value.length; i++) {
      const unit = value.charCodeAt(i)
      units |= unit
      shared[at++] = unit
    }
    if (units > 255) {
      shared[header] = (shared[header] ?? 0) + 1
      at = this.#length
      for (let i = from; i < value.length; i++) {
        const unit = value.charCodeAt(i)
        shared[at++] = unit
        shared[at++] = unit >> 8
      }
    }
    this.#length = at
  }

  /** An id: short where `createId` made it, and any other text as it is. */
  id(value: string): void {
    reserve(this.#length, 1 + idBytes)
    const isPacked = packId(value, shared, this.#length + 1)
    shared[this.#length++] = isPacked ? packed : plain
    if (isPacked) this.#length += idBytes
    else this.text(value)
  }

  /** A SHA-256 in base64url: its bytes, and any other text as it is. */
  digest(value: string): void {
    reserve(this.#length, 1 + digestBytes)
    const isPacked = packDigest(value, shared, this.#length + 1)
    shared[this.#length++] = isPacked ? packed : plain
    if (isPacked) this.#length += digestBytes
    else this.text(value)
  }

  toBase64url(): string {
    return shared.toString('base64url', 0, this.#length)
  }
}

export class Reader {
  /** The whole text, a character for each byte. */
  readonly #characters: string
  readonly #length: number
  #at = 0

  /** Throws `malformed` where a text is no base64url, or not in its one spelling. */
  constructor(base64url: string) {
    reserve(0, base64url.length)
    this.#length = shared.write(base64url, 'base64url')
    if (shared.toString('base64url', 0, this.#length) !== base64url) throw malformed
    this.#characters = shared.toString('latin1', 0, this.#length)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#length
  }

  /** Goes on by so many bytes, and answers where they begin. */
  #skip(bytes: number): number {
    const at = this.#at
    if (at + bytes > this.#length) throw malformed
    this.#at = at + bytes
    return at
  }

  byte(): number {
    if (this.#at >= this.#length) throw malformed
    return shared[this.#at++] ?? 0
  }

  number(): number {
    let value = this.byte()
    if (value < 128) return value
    value -= 128
    for (let unit = 128; ; unit *= 128) {
      const byte = this.byte()
      value += (byte & 127) * unit
      if (!Number.isSafeInteger(value)) throw malformed
      if (byte < 128) return value
    }
  }

  text(): string {
    const header = this.number()
    const length = Math.floor(header / 2)
    if (header % 2 === 0) {
      const at = this.#skip(length)
      return this.#characters.slice(at, at + length)
    }
    const at = this.#skip(2 * length)
    return shared.toString('utf16le', at, at + 2 * length)
  }

  /** Whether what follows is packed. */
  #isPacked(): boolean {
    const form = this.byte()
    if (form !== packed && form !== plain) throw malformed
    return form === packed
  }

  id(): string {
    return this.#isPacked() ? unpackId(shared, this.#skip(idBytes)) : this.text()
  }

  digest(): string {
    if (!this.#isPacked()) return this.text()
    const at = this.#skip(digestBytes)
    return shared.toString('base64url', at, at + digestBytes)
  }
}
