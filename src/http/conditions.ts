/** Conditional requests: `If-Match` and `If-None-Match`, read strictly (RFC 9110 section 13.1). */
import type { Condition } from '../model/item.ts'
import { Refusal } from '../protocol/refusal.ts'
import { httpLimits } from './limits.ts'
import type { HttpRequest } from './request.ts'

interface EntityTag {
  readonly weak: boolean
  readonly version: string
}

/** A list of entity tags (RFC 9110 section 8.8.3); each character has one place only in it. */
const tagList = /^[\t ,]*(?:(?:W\/)?"[!#-~\u0080-\u00ff]*"[\t ]*(?:,[\t ,]*|$))+$/

const parseTags = (header: string, name: string): readonly EntityTag[] | '*' => {
  if (header === '*') return '*'
  if (header.length > httpLimits.conditionCharacters || !tagList.test(header)) {
    throw new Refusal(
      'invalid_request',
      'malformed_condition',
      `${name} has to be * or a list of entity tags in double quotes, of at most ${httpLimits.conditionCharacters} characters`,
    )
  }
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, version = '']) => ({
    weak: weak !== undefined,
    version,
  }))
}

/**
 * What a request demands of the item as it stands. `If-Match` compares strongly, so a weak tag
 * matches nothing; `If-None-Match` compares weakly.
 *
 * @param matched `weak`: of an API whose own tags are weak
 * @throws Refusal `invalid_request`
 */
export const parseCondition = (
  request: HttpRequest,
  matched: 'strong' | 'weak' = 'strong',
): Condition => {
  const match = request.headers.get('if-match')
  const noneMatch = request.headers.get('if-none-match')
  const strong = match === null ? null : parseTags(match, 'If-Match')
  const any = noneMatch === null ? null : parseTags(noneMatch, 'If-None-Match')
  const versionsOf = (tags: readonly EntityTag[]) => tags.map(({ version }) => version)
  const whole = (tags: readonly EntityTag[]) =>
    versionsOf(tags.filter(({ weak }) => matched === 'weak' || !weak))
  return {
    ...(strong && { ifMatch: strong === '*' ? strong : whole(strong) }),
    ...(any && { ifNoneMatch: any === '*' ? any : versionsOf(any) }),
  }
}

/** Whether an item that exists is one of those named. */
export const isNamed = (version: string, versions: readonly string[] | '*'): boolean =>
  versions === '*' || versions.includes(version)

export const makeEntityTag = (version: string): string => `"${version}"`
