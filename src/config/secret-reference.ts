/** A secret that a file refers to and does not hold: `{ env: NAME }` or `{ file: PATH }`. */
import { resolve } from 'node:path'
import { isObject } from '../model/json.ts'
import { UsageFault } from './remote.ts'
import { readContent } from './values.ts'

export interface SecretSource {
  /** As messages call it. */
  readonly called: string
  /** @throws UsageFault where it is not there */
  readonly read: () => string
}

export const secretReferenceForm = '{ env: NAME } or { file: PATH }'

/**
 * Null where it is no reference.
 *
 * @param folder of relative paths
 */
export const parseSecretReference = (
  given: unknown,
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): SecretSource | null => {
  const [entry, ...others] = isObject(given) ? Object.entries(given) : []
  if (entry === undefined || others.length > 0) return null
  const [kind, name] = entry
  if (typeof name !== 'string' || name === '') return null
  if (kind === 'env' && /^[A-Za-z_]\w{0,199}$/.test(name)) {
    return makeSource(`the variable ${name}`, () => env[name])
  }
  if (kind !== 'file') return null
  return makeSource(`the file ${JSON.stringify(name)}`, () => readContent(resolve(folder, name)))
}

const makeSource = (called: string, find: () => string | null | undefined): SecretSource => ({
  called,
  read() {
    const secret = find()
    if (secret) return secret
    throw new UsageFault(`${called} has no secret, or cannot be read`)
  },
})
