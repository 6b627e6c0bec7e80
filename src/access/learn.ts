/** A resource may have been created on another node a moment ago: it is looked up before it is refused. */
import type { ScopeName } from '../model/resource.ts'
import type { Parts } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { siteOf } from './audience.ts'
import { isIndicator } from './resource-indicator.ts'

type LearnParts = Pick<Parts, 'settings' | 'resources'>

const isUnknownName = (name: string, { resources }: LearnParts): boolean => {
  if (name === '' || resources.known([name as ScopeName]).length > 0) return false
  return name.includes(':') || resources.find(name) === null
}

/** Reads the resources again where a scope names an unknown one. */
export const learnScope = async (scope: unknown, parts: LearnParts): Promise<void> => {
  if (typeof scope !== 'string') return
  const names = scope.split(/[ ,]/)
  if (names.some((name) => isUnknownName(name, parts))) await parts.resources.learn()
}

/** The same for the `scope` and the `resource` of a request. */
export const learnAsked = async (parameters: Parameters, parts: LearnParts): Promise<void> => {
  const isUnknown = parameters.all('resource').some((uri) => !isIndicator(uri, siteOf(parts)))
  if (isUnknown) await parts.resources.learn()
  else await learnScope(parameters.find('scope'), parts)
}
