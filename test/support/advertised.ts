/** Lists of the metadata, as the registries have them: a new entry needs no further line. */
import { builtIn } from '../../src/registries.ts'

const { grants, clientMethods, responseTypes } = builtIn

/** Those of the token endpoint. */
export const tokenGrants = grants.map(({ type }) => type)

export const grantTypes: readonly string[] = [
  ...new Set([...tokenGrants, ...responseTypes.flatMap((response) => response.grantTypes)]),
]
export const responseTypeNames = responseTypes.map(({ type }) => type)
/** Without a trusted proxy, as most services of tests are. */
export const methodNames = clientMethods
  .filter(({ isOffered }) => isOffered === undefined)
  .map(({ name }) => name)
/** Methods that authenticate: `none` names the client only. */
export const provingMethods = methodNames.filter((name) => name !== 'none')
export const promptNames = builtIn.prompts.map(({ value }) => value)

/** As errors list names: `a, b and c`. */
export const joinNames = (names: readonly string[], word: 'and' | 'or'): string =>
  `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
