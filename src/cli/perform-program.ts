/** `latchkey perform ...`: runs a grant as a client would, and prints what it gets. */
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { loadSettings } from '../config/load.ts'
import { clientSecretGiven, serverGiven, UsageFault } from '../config/remote.ts'
import type { CommandOutput, JsonRow } from '../operations/surface/said.ts'
import { askToken, findMetadata, introspect, type PerformingClient } from './perform/ask-token.ts'
import { openBrowser, performCode } from './perform/browser.ts'
import { saidTokens } from './perform/claims.ts'
import type { Flags } from './store.ts'
import { type Described, describe, group, print, withJson } from './tree.ts'

/** The issuer of the flag, of `LATCHKEY_SERVER`, or of the settings. */
const issuerOf = (flags: Flags): string => {
  const given = flags.issuer ?? serverGiven({})?.value
  return given === undefined ? loadSettings().issuer : String(given).replace(/\/+$/, '')
}

const clientOf = ({ client, secretFile }: Flags): PerformingClient => ({
  id: String(client),
  secret: clientSecretGiven(secretFile),
})

const textOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? value.join(' ') : value === undefined ? undefined : String(value)

const wholeNumber = (value: unknown, flag: string): number => {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 0) return number
  throw new UsageFault(`${flag} has to be a whole number`)
}

type Performing = (metadata: JsonRow, client: PerformingClient, flags: Flags) => Promise<JsonRow>

const clientCredentials: Performing = (metadata, client, flags) =>
  askToken(metadata, client, {
    grant_type: 'client_credentials',
    scope: textOf(flags.scope),
    resource: textOf(flags.resource),
  })

const refreshToken: Performing = async (metadata, client, flags) =>
  askToken(metadata, client, {
    grant_type: 'refresh_token',
    refresh_token: (await text(process.stdin)).trim(),
    scope: textOf(flags.scope),
    resource: textOf(flags.resource),
  })

const password: Performing = async (metadata, client, flags) =>
  askToken(metadata, client, {
    grant_type: 'password',
    username: String(flags.username),
    password: (await text(process.stdin)).replace(/\r?\n$/, ''),
    scope: textOf(flags.scope),
    resource: textOf(flags.resource),
  })

const authorizationCode: Performing = (metadata, client, flags) =>
  performCode(metadata, {
    client,
    scope: textOf(flags.scope),
    resource: textOf(flags.resource),
    prompt: textOf(flags.prompt),
    port: wholeNumber(flags.port ?? 0, '--port'),
    path: String(flags.path ?? '/callback'),
    seconds: wholeNumber(flags.seconds ?? 300, '--seconds'),
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
  const metadata = await findMetadata(issuerOf(flags))
  const client = clientOf(flags)
  const response = await work(metadata, client, flags)
  // A former refresh token has ended, so from here on no fault may take the new one along.
  const asked = await introspect(metadata, client, response.access_token).then(
    (introspection) => ({ introspection, fault: null }),
    (fault: unknown) => ({
      introspection: null,
      fault: fault instanceof Error ? fault.message : String(fault),
    }),
  )
  return saidTokens(grantType, response, asked)
}

export const addPerformCommands = (program: Command): void => {
  const performing = group(program, 'perform', {
    does: 'run a grant as a client would, against a running service, and print tokens and claims',
    examples: ['latchkey perform client-credentials --client nightly-report'],
  })
  const add = (name: string, grantType: string, described: Described, work: Performing): Command =>
    withJson(describe(performing, name, described))
      .requiredOption('--client <id>', 'the client; LATCHKEY_CLIENT_SECRET holds its secret')
      .option('--secret-file <path>', 'a file with the secret of the client')
      .option('--issuer <url>', 'the service (default: LATCHKEY_SERVER, or that of the settings)')
      .option('--scope <name...>', 'what to ask for')
      .option('--resource <uri>', 'the API that the token is for')
      .action(async (flags: Flags) => print(await perform(grantType, work, flags), flags))
  add(
    'authorization-code',
    'authorization_code',
    {
      does: 'through the browser, with PKCE; the client needs a loopback redirect URI',
      examples: [
        'LATCHKEY_CLIENT_SECRET=photo-printer-secret latchkey perform authorization-code --client photo-printer --scope openid photos:read',
      ],
    },
    authorizationCode,
  )
    .option('--path <path>', 'of the registered redirect URI (default: /callback)')
    .option('--port <number>', 'of the redirect URI (default: a free one)')
    .option('--prompt <value>', 'login, consent or none')
    .option('--no-browser', 'print the URL only')
    .option('--seconds <number>', 'how long to wait for the answer (default: 300)')
  add(
    'client-credentials',
    'client_credentials',
    {
      does: 'a token for the client itself, such as for --server',
      examples: [
        'LATCHKEY_CLIENT_SECRET=... latchkey perform client-credentials --client latchkey-admin --resource https://auth.example.com/admin/api',
      ],
    },
    clientCredentials,
  )
  add(
    'refresh-token',
    'refresh_token',
    {
      does: 'new tokens for the refresh token on standard input',
      examples: ['latchkey perform refresh-token --client gallery < refresh-token.txt'],
    },
    refreshToken,
  )
  add(
    'password',
    'password',
    {
      does: 'tokens for an owner whose password is on standard input; the client has to be trusted',
      examples: [
        'LATCHKEY_CLIENT_SECRET=house-app-secret latchkey perform password --client house-app --username alice < password.txt',
      ],
    },
    password,
  ).requiredOption('--username <name>', 'the owner')
}
