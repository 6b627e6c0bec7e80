/** Bodies of requests piece by piece, and the bytes of all that are under way. */
import { Refusal } from '../protocol/refusal.ts'
import { httpLimits } from './limits.ts'

export const tooLarge = (mostBytes: number): Refusal =>
  new Refusal('too_large', 'body_too_large', `the body is larger than ${mostBytes} bytes`, {
    headers: { Connection: 'close' },
  })

/** Nobody reads this: it is for the log, which has no use for the fault of the connection. */
export const clientGone = (): Refusal =>
  new Refusal('invalid_request', 'client_gone', 'the body did not arrive in time', { status: 408 })

/** Bytes that have come of bodies under way, over all connections. Small bodies do not count. */
let heldBytes = 0

/** @throws Refusal `temporarily_unavailable` where too much is held already */
const hold = (bytes: number): void => {
  if (heldBytes + bytes > httpLimits.bodyBytesHeld) {
    throw new Refusal('temporarily_unavailable', 'bodies_waiting', 'too many bodies arrive', {
      headers: { Connection: 'close', 'Retry-After': '1' },
    })
  }
  heldBytes += bytes
}

/** Reads piece by piece: what has come is counted, and cut at the limit. */
export const takePieces = async (
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  take: (piece: Uint8Array) => void,
): Promise<void> => {
  let bytes = 0
  try {
    for await (const piece of body) {
      if (bytes + piece.byteLength > mostBytes) throw tooLarge(mostBytes)
      hold(piece.byteLength)
      bytes += piece.byteLength
      take(piece)
    }
  } finally {
    heldBytes -= bytes
  }
}
