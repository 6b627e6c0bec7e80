/** Small pictures. Their first bytes decide the type, not their name or sender. */

export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** No SVG: it can hold scripts. Null for what is no picture of these types. */
export const pictureTypeOf = (bytes: Uint8Array): PictureType | null => {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return /^RIFF[\s\S]{4}WEBP$/.test(start) ? 'image/webp' : null
}
