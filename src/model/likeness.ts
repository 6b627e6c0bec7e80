/** Likeness of clients: installations of one application register themselves, each as a client. */
import { type Client, isOnItsOwn } from './client.ts'
import { describeRequester } from './requester.ts'

/**
 * Equal for clients of the same software id, name and redirect hosts. All of it is only claimed. So a
 * client with a document, or one of the operator, has none: null.
 */
export const likenessOf = (
  client: Pick<Client, 'name' | 'display' | 'document' | 'redirectUris'> &
    Parameters<typeof describeRequester>[0] &
    Parameters<typeof isOnItsOwn>[0],
): string | null => {
  if (!isOnItsOwn(client) || client.document !== undefined) return null
  const { name, hosts } = describeRequester(client)
  return JSON.stringify([client.display.software_id ?? '', name, hosts])
}
