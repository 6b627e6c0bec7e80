/**
 * Pictures that people upload: PNG, JPEG or WebP, walked strictly from the first byte to the last. Only the
 * parts that draw the picture are kept. So no place, camera, comment or hidden second file remains.
 */
import { crc32 } from 'node:zlib'
import { detectPictureType, type PictureType } from '../picture.ts'

export const pictureLimits = {
  bytes: 200 * 1024,
  /** Along each side: a browser needs four bytes of memory for each point. */
  pixels: 4096,
} as const

export interface PlainPicture {
  readonly type: Exclude<PictureType, 'image/gif'>
  readonly bytes: Uint8Array
}

const isInBounds = (...sides: readonly number[]): boolean =>
  sides.every((side) => side >= 1 && side <= pictureLimits.pixels)

const pngKept = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND']

/** Chunks of a length, a type, data and a checksum (PNG 3, section 5.3). An animation is no picture. */
const walkPng = (bytes: Buffer): readonly Buffer[] | null => {
  const kept = [bytes.subarray(0, 8)]
  const types: string[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return null
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return null
    if ((type === 'IHDR') !== (types.length === 0) || type === 'acTL') return null
    if (type === 'IHDR') {
      if (end - at !== 25) return null
      if (!isInBounds(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12))) return null
    }
    types.push(type)
    if (pngKept.includes(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return types.includes('IDAT') ? kept : null
    at = end
  }
  return null
}

/** Frames of one or several scans, tables, and restarts (ITU T.81, table B.1). */
const jpegKept = [0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, 0xda]

/** The end of the data of a scan: a marker beside restarts and stuffed bytes. */
const findScanEnd = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return -1
}

/** The heads of JFIF and Adobe say how colours are meant; neither may hold more. */
const isColourHead = (marker: number, body: Buffer): boolean =>
  (marker === 0xe0 && body.length === 16 && body.toString('latin1', 2, 7) === 'JFIF\0') ||
  (marker === 0xee && body.length === 14 && body.toString('latin1', 2, 7) === 'Adobe')

/** Segments of a marker, a length and data, and scans (ITU T.81, annex B). Bytes behind the end are cut off. */
const walkJpeg = (bytes: Buffer): readonly Buffer[] | null => {
  const kept = [bytes.subarray(0, 2)]
  let frames = 0
  let scans = 0
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return null
    if (marker === 0xd9) {
      return frames === 1 && scans > 0 ? [...kept, bytes.subarray(at, at + 2)] : null
    }
    if (marker < 0xc0 || at + 4 > bytes.length) return null
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end < at + 4 || end > bytes.length) return null
    if (marker >= 0xc0 && marker <= 0xc2) {
      frames++
      if (end < at + 10 || !isInBounds(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)))
        return null
    }
    const isScan = marker === 0xda
    const next = isScan ? findScanEnd(bytes, end) : end
    if (next === -1 || (isScan && frames === 0)) return null
    if (isScan) scans++
    const body = bytes.subarray(at + 2, end)
    if (jpegKept.includes(marker) || isColourHead(marker, body)) kept.push(bytes.subarray(at, next))
    else if (marker < 0xe0) return null
    at = next
  }
  return null
}

/** Both sides of a picture in a chunk of WebP (RFC 9649 section 2); null for another chunk. */
const measureWebp = (type: string, data: Buffer): readonly [number, number] | null => {
  if (type === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a) {
    return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
  }
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const sides = data.readUInt32LE(1)
    return [(sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1]
  }
  return null
}

const alphaFlag = 0x10
const animationFlag = 0x02

/** Chunks of a type, a length and data, in a RIFF of the whole length (RFC 9649 section 2.3). */
const walkWebp = (bytes: Buffer): readonly Buffer[] | null => {
  const kept: Buffer[] = []
  let pictures = 0
  const whole = 8 + bytes.readUInt32LE(4)
  if (whole > bytes.length) return null
  for (let at = 12; at < whole; ) {
    if (at + 8 > whole) return null
    const [type, size] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)]
    const end = at + 8 + size + (size % 2)
    if (end > whole) return null
    const chunk = Buffer.from(bytes.subarray(at, end))
    const sides = measureWebp(type, chunk.subarray(8, 8 + size))
    if (sides !== null) {
      pictures++
      if (!isInBounds(...sides)) return null
      kept.push(chunk)
    } else if (type === 'VP8X') {
      if (size !== 10 || kept.length > 0 || ((chunk[8] ?? 0) & animationFlag) !== 0) return null
      if (!isInBounds(1 + chunk.readUIntLE(12, 3), 1 + chunk.readUIntLE(15, 3))) return null
      chunk[8] = (chunk[8] ?? 0) & alphaFlag
      kept.push(chunk)
    } else if (type === 'ALPH') kept.push(chunk)
    else if (!['ICCP', 'EXIF', 'XMP '].includes(type)) return null
    at = end
  }
  const head = Buffer.from(bytes.subarray(0, 12))
  head.writeUInt32LE(4 + kept.reduce((sum, { length }) => sum + length, 0), 4)
  return pictures === 1 ? [head, ...kept] : null
}

const walks = { 'image/png': walkPng, 'image/jpeg': walkJpeg, 'image/webp': walkWebp } as const

/** The picture and nothing else; null for what is no plain picture of these types. */
export const parsePlainPicture = (given: Uint8Array): PlainPicture | null => {
  const type = detectPictureType(given)
  if (type === null || type === 'image/gif' || given.length > pictureLimits.bytes) return null
  const kept = walks[type](Buffer.from(given))
  return kept && { type, bytes: Buffer.concat(kept) }
}
