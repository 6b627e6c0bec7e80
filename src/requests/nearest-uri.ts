/** How a URI differs from the nearest one that would have done: two URIs are compared as text. */
import { redactUri } from './redact.ts'

const commonStart = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** The one that is the same for longest. */
const nearestTo = (given: string, registered: readonly string[]): string | null => {
  let nearest: string | null = null
  for (const uri of registered) {
    if (nearest === null || commonStart(given, uri) > commonStart(given, nearest)) nearest = uri
  }
  return nearest
}

const decoded = (uri: string): string => {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

const schemeOf = (uri: string): string => uri.split(':', 1)[0] ?? ''
const hostOf = (uri: string): string => /^[^:]*:\/\/([^/?#]*)/.exec(uri)?.[1] ?? ''
const queryOf = (uri: string): string => /\?(.*)$/s.exec(uri)?.[1] ?? ''

/** The difference in words. */
const wordsFor = (given: string, uri: string): string => {
  if (given === `${uri}/`) return 'a slash too many at the end'
  if (`${given}/` === uri) return 'the slash at the end is missing'
  if (given.trim() === uri) return 'blanks around it'
  if (given.toLowerCase() === uri.toLowerCase()) return 'upper and lower case'
  if (decoded(given) === decoded(uri)) return 'the percent-encoding'
  if (decoded(given) === uri) return 'it is percent-encoded twice'
  if (given.includes('#')) return 'it has a fragment'
  if (given.slice(schemeOf(given).length) === uri.slice(schemeOf(uri).length)) {
    return `the scheme ${redactUri(`${schemeOf(given)}:`)} in place of ${schemeOf(uri)}:`
  }
  if (hostOf(given) !== hostOf(uri)) return 'another host or port'
  if (given.split('?')[0] === uri.split('?')[0]) {
    return queryOf(uri) === '' ? 'a query too many' : 'another query'
  }
  if (given.startsWith(uri)) return 'something too much at the end'
  return uri.startsWith(given) ? 'its end is missing' : 'another path'
}

/**
 * The difference, and its place.
 *
 * @returns null where it is one of the registered ones, or there are none
 */
export const describeDifference = (given: string, registered: readonly string[]): string | null => {
  const uri = nearestTo(given, registered)
  if (uri === null || registered.includes(given)) return null
  const at = commonStart(given, uri) + 1
  return `differs from the registered one at character ${at}: ${wordsFor(given, uri)}`
}
