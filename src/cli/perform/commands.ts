/** `latchkey perform ...`: runs a grant as a client would, and prints what it gets. */

import { text } from 'node:stream/consumers'
import { loadSettings } from '../../config/load.ts'
import { findServer, readClientSecret, UsageFault } from '../../config/remote.ts'
import type { CommandFlag } from '../../operations/surface/cli.ts'
import {
  type CommandOutput,
  type JsonRow,
  renderRows,
  sayJson,
  show,
} from '../../operations/surface/said.ts'
import type { Flags } from '../store.ts'
import type { CommandGroup, CommandLine } from '../tree.ts'
import {
  askToken,
  decodeClaims,
  findMetadata,
  introspect,
  openBrowser,
  type PerformingClient,
  performCode,
} from './requests.ts'

/**
 * @param introspection of the access token; null if the service was not asked, or did not tell
 * @param fault why the introspection failed; null if it did not
 */
const describeTokens = (
  grantType: string,
  response: JsonRow,
  introspection: JsonRow | null,
  fault: string | null,
): CommandOutput => {
  const claims = Object.fromEntries(
    ['access_token', 'id_token'].flatMap((name) => {
      const found = decodeClaims(response[name])
      return found === null ? [] : [[name, found]]
    }),
  )
  const rows = Object.entries(response).map(([name, value]) => [name, show(value)])
  const decoded = Object.entries(claims).map(
    ([name, found]) => `Claims of the ${name} (signature not verified):\n${sayJson(found)}`,
  )
  return {
    json: {
      grant_type: grantType,
      response,
      claims,
      introspection,
      ...(fault === null ? {} : { introspection_fault: fault }),
    },
    text: [
      renderRows(rows),
      ...decoded,
      ...(introspection === null
        ? []
        : [`Introspection of the access_token:\n${sayJson(introspection)}`]),
      ...(fault === null ? [] : [`The introspection of the access_token failed: ${fault}`]),
    ].join('\n\n'),
  }
}

/** The issuer of the flag, of `LATCHKEY_SERVER`, or of the settings. */
const chooseIssuer = (flags: Flags): string => {
  const given = flags.issuer ?? findServer({})?.value
  return given === undefined ? loadSettings().issuer : String(given).replace(/\/+$/, '')
}

const formatText = (value: unknown): string | undefined =>
  Array.isArray(value) ? value.join(' ') : value === undefined ? undefined : String(value)

const parseWholeNumber = (value: unknown, flag: string): number => {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 0) return number
  throw new UsageFault(`${flag} has to be a whole number`)
}

type Performing = (metadata: JsonRow, client: PerformingClient, flags: Flags) => Promise<JsonRow>

/** A grant without a browser. @param own the parameters of the grant */
const askBy =
  (grantType: string, own: (flags: Flags) => Promise<Parameters<typeof askToken>[2]>): Performing =>
  async (metadata, client, flags) =>
    askToken(metadata, client, {
      grant_type: grantType,
      ...(await own(flags)),
      scope: formatText(flags.scope),
      resource: formatText(flags.resource),
    })

const refreshToken = askBy('refresh_token', async () => ({
  refresh_token: (await text(process.stdin)).trim(),
}))

const password = askBy('password', async ({ username }) => ({
  username: String(username),
  password: (await text(process.stdin)).replace(/\r?\n$/, ''),
}))

const runCodeGrant: Performing = (metadata, client, flags) =>
  performCode(metadata, {
    client,
    scope: formatText(flags.scope),
    resource: formatText(flags.resource),
    prompt: formatText(flags.prompt),
    port: parseWholeNumber(flags.port ?? 0, '--port'),
    path: String(flags.path ?? '/callback'),
    seconds: parseWholeNumber(flags.seconds ?? 300, '--seconds'),
    open: (url) => {
      process.stderr.write(`Open this page, log in and answer:\n\n  ${url}\n\n`)
      if (flags.browser !== false) openBrowser(url)
    },
  })

const perform = async (
  grantType: string,
  work: Performing,
  flags: Flags,
): Promise<CommandOutput> => {
  const metadata = await findMetadata(chooseIssuer(flags))
  const client = { id: String(flags.client), secret: readClientSecret(flags.secretFile) }
  const response = await work(metadata, client, flags)
  // A former refresh token has ended, so from here on no fault may take the new one along.
  let fault: string | null = null
  const asked = introspect(metadata, client, response.access_token)
  const introspection = await asked.catch((thrown: unknown) => {
    fault = thrown instanceof Error ? thrown.message : String(thrown)
    return null
  })
  return describeTokens(grantType, response, introspection, fault)
}

const clientFlags: readonly CommandFlag[] = [
  ['--client <id>', 'the client; LATCHKEY_CLIENT_SECRET holds its secret', 'needed'],
  ['--secret-file <path>', 'a file with the secret of the client'],
  ['--issuer <url>', 'the service (default: LATCHKEY_SERVER, or that of the settings)'],
  ['--scope <name...>', 'what to ask for'],
  ['--resource <uri>', 'the API that the token is for'],
]

const makeGrantLine = (
  usage: string,
  work: Performing,
  { does, example, flags = [] }: { does: string; example: string; flags?: readonly CommandFlag[] },
): CommandLine => ({
  usage,
  does,
  examples: [example],
  settings: [],
  flags: [...clientFlags, ...flags],
  run: (given) => perform(usage.replace('-', '_'), work, given),
})

export const performGroup: CommandGroup = {
  name: 'perform',
  does: 'run a grant as a client would, against a running service, and print tokens and claims',
  examples: ['latchkey perform client-credentials --client nightly-report'],
  commands: [
    makeGrantLine('authorization-code', runCodeGrant, {
      does: 'through the browser, with PKCE; the client needs a loopback redirect URI',
      example:
        'LATCHKEY_CLIENT_SECRET=photo-printer-secret latchkey perform authorization-code --client photo-printer --scope openid photos:read',
      flags: [
        ['--path <path>', 'of the registered redirect URI (default: /callback)'],
        ['--port <number>', 'of the redirect URI (default: a free one)'],
        ['--prompt <value>', 'login, consent or none'],
        ['--no-browser', 'print the URL only'],
        ['--seconds <number>', 'how long to wait for the answer (default: 300)'],
      ],
    }),
    makeGrantLine(
      'client-credentials',
      askBy('client_credentials', async () => ({})),
      {
        does: 'a token for the client itself, such as for --server',
        example:
          'LATCHKEY_CLIENT_SECRET=... latchkey perform client-credentials --client latchkey-admin --resource https://auth.example.com/admin/api',
      },
    ),
    makeGrantLine('refresh-token', refreshToken, {
      does: 'new tokens for the refresh token on standard input',
      example: 'latchkey perform refresh-token --client gallery < refresh-token.txt',
    }),
    makeGrantLine('password', password, {
      does: 'tokens for an owner whose password is on standard input; the client has to be trusted',
      example:
        'LATCHKEY_CLIENT_SECRET=house-app-secret latchkey perform password --client house-app --username alice < password.txt',
      flags: [['--username <name>', 'the owner', 'needed']],
    }),
  ],
}
