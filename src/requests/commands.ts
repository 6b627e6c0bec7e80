/** Commands as remedies of refused requests: a shell reads their values as text. */
import type { Command } from '../protocol/explanation.ts'

/** One word of a POSIX shell: between single quotes everything stands for itself but their end. */
const quoteWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** JSON in printable ASCII: nothing unseen, no line break, and no quote that a shell would look at. */
const escapeJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]|'/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * A request to the admin API.
 *
 * @param path below `/admin/api/`, percent-encoded
 * @param body null where there is none
 */
export const makeAdminCommand = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body: Readonly<Record<string, unknown>> | null,
  issuer: string,
): Command => {
  const sent =
    body === null
      ? ''
      : ` -H 'Content-Type: application/json' --data-raw ${quoteWord(escapeJson(body))}`
  const url = quoteWord(`${issuer}/admin/api/${path}`)
  const text = `curl -sS -X ${method} -H "Authorization: Bearer $ADMIN_TOKEN"${sent} ${url}`
  return { text, asOperator: true }
}

/**
 * Gets the access token that such a request needs.
 *
 * @param client the id of an operator's client, after which curl asks for its secret, or `id:secret`
 */
export const makeTokenCommand = (client: string, issuer: string): string =>
  `ADMIN_TOKEN=$(curl -sS -u ${quoteWord(client)} -d grant_type=client_credentials ${quoteWord(`${issuer}/token`)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`

/** The authorization request as it has to be: what answers it then is the way to the login. */
export const requestCommand = (parameters: URLSearchParams, issuer: string): Command => {
  const url = `${issuer}/authorize?${parameters.toString().replaceAll('*', '%2A')}`
  return { text: `curl -sS -i ${quoteWord(url)}`, asOperator: false }
}
