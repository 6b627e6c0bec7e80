/** Names an application that acts for another one, by token exchange (RFC 8693). */
import type { Language } from '../model/language.ts'
import type { ListedAuthorization } from '../store/contract/authorization.ts'
import { sayName } from './fields.ts'
import type { Markup } from './markup.ts'
import { phrases } from './words/phrases.ts'

/** `Helper for Photo Printer`; the name alone where nobody else stands behind it. */
export const sayActor = (
  { clientName, parentClientName }: Pick<ListedAuthorization, 'clientName' | 'parentClientName'>,
  language: Language,
): Markup => {
  const client = sayName(clientName)
  if (parentClientName === null) return client
  return phrases(language).actsFor({ client, parent: sayName(parentClientName) })
}
