/** What a client asks for in detail (RFC 9396), and single actions of it, as in `contacts/one:read`. */

/** No request of a simulation to an API needs a permission on contacts. */
export const askedDetails = [
  { type: 'contacts', actions: ['read'], identifier: 'one' },
  { type: 'contacts', actions: ['read', 'write'], identifier: 'two' },
] as const

interface Told {
  readonly type: string
  readonly actions: readonly string[]
  readonly identifier: string
}

/** @param details of a request or an answer; none where the member is absent */
export const listActions = (details: readonly Told[] = []): readonly string[] =>
  details.flatMap(({ type, actions, identifier }) =>
    actions.map((action) => `${type}/${identifier}:${action}`),
  )

export const makeDetails = (action: string): readonly Told[] => {
  const [type = '', identifier = '', name = ''] = action.split(/[/:]/)
  return [{ type, actions: [name], identifier }]
}
