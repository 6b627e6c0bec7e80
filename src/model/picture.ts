/** Small pictures. Their first bytes decide the type, not their name or sender. */
import type { ClientId, OwnerId } from './ids.ts'

/** The media types of pictures. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** No SVG: it can hold scripts. Null for what is no picture of these types. */
export const detectPictureType = (bytes: Uint8Array): PictureType | null => {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return /^RIFF[\s\S]{4}WEBP$/.test(start) ? 'image/webp' : null
}

/** The source of a picture once its owner has uploaded or removed one. */
export const ownPicture = 'own'

/** A name of 22 characters of base64url has 128 bits. */
export const pictureNameCharacters = 22

/** The picture of an owner: uploaded, or as an upstream told it, and kept without anything that does not draw it. */
export interface OwnerPicture {
  readonly ownerId: OwnerId
  /** Random, so that nobody finds the picture of somebody else. Each upload has another one. */
  readonly name: string
  readonly type: PictureType
  /** Base64. */
  readonly content: string
}

/** The picture of a client, as it was fetched from its `logo_uri` (RFC 7591 section 2). */
export interface ClientLogo {
  readonly clientId: ClientId
  /** Where it was fetched from. Of another `logo_uri` it is not the picture. */
  readonly uri: string
  readonly type: PictureType
  /** A digest of the content, for the URL that it is served at. */
  readonly version: string
  /** Base64. */
  readonly content: string
  /** Unix seconds. */
  readonly fetchedAt: number
}
