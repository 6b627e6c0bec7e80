/** Reads the members of an upstream in the settings, each with its rule. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isLoopback } from './issuer.ts'
import { nearest } from './nearest.ts'

/** Goes on after the subject: `needs a "client_id"`. It never shows a value. */
export class UpstreamMemberFault extends Error {}

export interface UpstreamMembers {
  /** @param otherwise without one, the member has to be there */
  text(name: string, otherwise?: string): string
  /** Whether it is given. */
  has(name: string): boolean
  /** @param otherwise by default false */
  flag(name: string, otherwise?: boolean): boolean
  /** An https URL, or an http one on a loopback address. */
  url(name: string): string
  /** A secret: its value, or by `NAME_file` the path of a file; null without either. */
  secret(name: string): string | null
  /** The `scope` of OAuth 2.0 (RFC 6749 section 3.3). */
  scope(otherwise?: string): string
  /** Anything else: whoever reads it checks it. */
  other(name: string): unknown
  /** Refuses members that nobody has read. */
  end(): void
}

const isPlainUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username + url.password + url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

const isShown = (name: string): boolean => /^\w{1,40}$/.test(name)

/** @param cwd what relative paths start from */
export const membersOf = (
  given: Readonly<Record<string, unknown>>,
  cwd: string,
): UpstreamMembers => {
  const known = new Set<string>()
  const find = (name: string): unknown => {
    known.add(name)
    return given[name]
  }
  const optionalText = (name: string): string | null => {
    const value = find(name)
    if (value === undefined || value === null) return null
    if (typeof value === 'string' && value !== '' && value.length <= 2000) return value
    throw new UpstreamMemberFault(`needs a text as "${name}"`)
  }
  const text: UpstreamMembers['text'] = (name, otherwise) => {
    const value = optionalText(name) ?? otherwise
    if (value !== undefined) return value
    throw new UpstreamMemberFault(`needs a "${name}"`)
  }
  const fileOf = (name: string): string | null => {
    const path = optionalText(`${name}_file`)
    if (path === null) return null
    try {
      // Editors end a file with a line feed.
      return readFileSync(resolve(cwd, path), 'utf8').replace(/\r?\n$/, '')
    } catch {
      throw new UpstreamMemberFault(`has a "${name}_file" that cannot be read`)
    }
  }
  return {
    text,
    other: find,
    has: (name) => (find(name) ?? null) !== null,
    flag(name, otherwise = false) {
      const value = find(name) ?? otherwise
      if (typeof value === 'boolean') return value
      throw new UpstreamMemberFault(`needs true or false as "${name}"`)
    },
    url(name) {
      const value = text(name)
      if (isPlainUrl(value)) return value
      throw new UpstreamMemberFault(
        `needs an https URL (or an http one on a loopback address) as "${name}"`,
      )
    },
    scope(otherwise) {
      const scope = text('scope', otherwise)
      if (/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) return scope
      throw new UpstreamMemberFault('needs names separated by single spaces as "scope"')
    },
    secret(name) {
      const [value, content] = [optionalText(name), fileOf(name)]
      if (value !== null && content !== null) {
        throw new UpstreamMemberFault(`has both "${name}" and "${name}_file"`)
      }
      return value ?? content
    },
    end() {
      const unknown = Object.keys(given).find((name) => !known.has(name))
      if (unknown === undefined) return
      if (!isShown(unknown)) throw new UpstreamMemberFault('has an unknown member')
      const meant = nearest(unknown, [...known])
      const hint = meant === null ? '' : `; did you mean "${meant}"?`
      throw new UpstreamMemberFault(`has an unknown member "${unknown}"${hint}`)
    },
  }
}
