/** The operator's logo: a small picture, told by its first bytes and not by its name. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pictureTypeOf } from '../model/picture.ts'
import type { Parse } from './values.ts'

export const logoBytes = 200 * 1024

/** The operator's logo, read from its file. */
export interface Logo {
  readonly type: 'image/png' | 'image/webp' | 'image/svg+xml'
  readonly bytes: Uint8Array<ArrayBuffer>
}

const svg = /^\ufeff?\s*(?:<\?xml[^>]*>)?\s*(?:<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)?\s*<svg[\s/>]/i

const typeOf = (bytes: Buffer): Logo['type'] | null => {
  const picture = pictureTypeOf(bytes)
  if (picture === 'image/png' || picture === 'image/webp') return picture
  const text = bytes.toString('utf8').replaceAll(/<!--[\s\S]*?-->/g, '')
  return svg.test(text) ? 'image/svg+xml' : null
}

const form = `the path of a PNG, SVG or WebP file of at most ${logoBytes / 1024} KiB`

export const parseLogo: Parse<Logo> = (given, cwd) => {
  if (typeof given !== 'string') return { expected: form }
  const path = resolve(cwd, given)
  try {
    const { size } = statSync(path)
    if (size > logoBytes) return { expected: `${form} (this one has ${size} bytes)` }
    const bytes = readFileSync(path)
    const type = typeOf(bytes)
    return type === null ? { expected: form } : { value: { type, bytes: Uint8Array.from(bytes) } }
  } catch {
    return { expected: `${form}, which can be read` }
  }
}
