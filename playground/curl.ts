/** A request of the playground as a command for a shell (POSIX), which sends the same bytes. */
import { formType } from '../src/http/body.ts'
import type { Message } from './request.ts'

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const headerOption = ([name, value]: readonly [string, string]): string => {
  const basic = /^Basic (.+)$/.exec(value)?.[1]
  return basic === undefined
    ? `-H ${quoted(`${name}: ${value}`)}`
    : `-u ${quoted(Buffer.from(basic, 'base64').toString('utf8'))}`
}

/** `-d` makes it a POST of a form by itself, and puts `&` between its pieces. */
export const curlOf = ({ method, path, headers, body }: Message, issuer: string): string => {
  const isForm = headers['Content-Type'] === formType
  const implied = body === null ? 'GET' : 'POST'
  const data = body === null ? [] : isForm ? body.split('&') : [body]
  return [
    `curl -si ${method === implied ? '' : `-X ${method} `}${quoted(issuer + path)}`,
    ...Object.entries(headers)
      .filter(([name]) => !(isForm && name === 'Content-Type'))
      .map(headerOption),
    ...data.map((piece) => `-d ${quoted(piece)}`),
  ].join(' \\\n  ')
}
