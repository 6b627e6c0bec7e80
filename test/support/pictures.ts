/** Small pictures of each type, made by hand, with room for what does not belong into them. */
import { crc32, deflateSync } from 'node:zlib'

const chunkOf = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** @param more chunks behind the head */
export const makePng = (
  { width = 1, height = 1 }: { readonly width?: number; readonly height?: number } = {},
  more: readonly (readonly [string, Buffer])[] = [],
): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0], 8)
  return Buffer.concat([
    pngStart,
    chunkOf('IHDR', head),
    ...more.map(([type, data]) => chunkOf(type, data)),
    chunkOf('IDAT', deflateSync(Buffer.alloc(2))),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

const segmentOf = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** It draws nothing: only the order of its parts is right. */
export const makeJpeg = (
  { width = 1, height = 1 }: { readonly width?: number; readonly height?: number } = {},
  more: readonly (readonly [number, Buffer])[] = [],
): Buffer => {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...more.map(([marker, data]) => segmentOf(marker, data)),
    segmentOf(0xdb, Buffer.alloc(65)),
    segmentOf(0xc0, frame),
    segmentOf(0xc4, Buffer.alloc(20)),
    segmentOf(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]),
  ])
}

const riffChunk = (type: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
}

export const makeWebp = (
  { width = 1, height = 1 }: { readonly width?: number; readonly height?: number } = {},
  more: readonly (readonly [string, Buffer])[] = [],
): Buffer => {
  const data = Buffer.alloc(6)
  data[0] = 0x2f
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  const chunks = Buffer.concat([
    riffChunk('VP8L', data),
    ...more.map(([type, content]) => riffChunk(type, content)),
  ])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(chunks.length + 4)
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), chunks])
}
