/** `latchkey login` and `latchkey logout`: commands act as the person, by the role that the person has. */
import { loadSettings } from '../../config/load.ts'
import { findServer, parseServer, UsageFault } from '../../config/remote.ts'
import { findConsoleRole } from '../../model/owner.ts'
import type { CommandFlag } from '../../operations/surface/cli.ts'
import {
  type CommandOutput,
  type JsonRow,
  renderTime,
  show,
} from '../../operations/surface/said.ts'
import { confirm } from '../admin/work.ts'
import { joinPath, makeAdminApi } from '../api.ts'
import { askRemote } from '../open-api.ts'
import {
  decodeClaims,
  findOwnMetadata,
  openBrowser,
  performCode,
  revokeToken,
} from '../perform/requests.ts'
import type { Flags } from '../store.ts'
import type { CommandLine } from '../tree.ts'
import { checkPlace, commandLine, forgetLogin, keepLogin } from './kept.ts'

/** So long the person may take. */
const answerSeconds = 300

/** The service of the flag, of `LATCHKEY_SERVER`, or of the settings. */
const chooseServer = (flags: Flags): string =>
  parseServer(findServer(flags)?.value ?? loadSettings().issuer)

/** Whom the service knows the new login as. The admin API answers nobody without a role. */
const askWho = async (server: string, { id_token, access_token }: JsonRow) => {
  const remote = { server, called: '--server', token: String(access_token) }
  const sub = String(decodeClaims(id_token)?.sub)
  const owner = await makeAdminApi(askRemote(remote)).ask('GET', joinPath('owners', sub))
  const roles = Array.isArray(owner.roles) ? owner.roles.map(String) : []
  return { username: String(owner.username), role: findConsoleRole({ roles }) }
}

/**
 * @param open shows the person the page
 * @param agree throws unless the person is whoever came back
 */
export const logIn = async (
  server: string,
  open: (url: string) => void,
  agree: (happens: string) => Promise<void> = async () => {},
): Promise<CommandOutput> => {
  checkPlace(server)
  const metadata = await findOwnMetadata(server)
  const revoke = (token: unknown) =>
    revokeToken(metadata, commandLine, String(token)).catch(() => {})
  const said = await performCode(metadata, {
    client: commandLine,
    scope: 'openid',
    // All of the service: a word of the scope is no permission on the admin API alone.
    resource: server,
    prompt: 'login',
    port: 0,
    path: '/callback',
    seconds: answerSeconds,
    open,
  })
  const keepAgreed = async () => {
    const who = await askWho(server, said)
    await agree(`This login is of ${show(who.username)}, with the role ${who.role}.`)
    return { ...who, before: await keepLogin(server, said) }
  }
  const { username, role, before } = await keepAgreed().catch(async (fault: unknown) => {
    // Nobody could end tokens that nobody keeps.
    await revoke(said.refresh_token ?? said.access_token)
    throw fault
  })
  // The new login counts in any case. The earlier one ends by itself, too.
  if (before !== null) await revoke(before)
  const endsAt = Math.floor(Date.now() / 1000) + (Number(said.authorization_expires_in) || 0)
  return {
    json: { server, logged_in: true, username, role, ends_at: endsAt },
    text: `You are logged in at ${server} as ${show(username)}, with the role ${role}, until ${renderTime(endsAt)} at the latest. The login ends with that of the browser. Commands with --server ${server} act as you.`,
  }
}

export const logOut = async (
  server: string,
): Promise<CommandOutput & { readonly exitCode?: number }> => {
  const fault = await forgetLogin(server, async (token) =>
    revokeToken(await findOwnMetadata(server), commandLine, token),
  )
  if (fault === undefined) throw new UsageFault(`nobody is logged in at ${server}`)
  const json = { server, logged_in: false, revoked: fault === null }
  if (fault === null) {
    return {
      json,
      text: `You are logged out at ${server}, and the tokens of the login have ended.`,
    }
  }
  return {
    json,
    text: `The tokens are deleted here, but may work at ${server} for up to twelve hours: ${show(fault)}. To end them, end the access of the command line at ${server}/account, or log out in the browser.`,
    exitCode: 1,
  }
}

const serverFlag: CommandFlag = [
  '--server <url>',
  'the service (default: LATCHKEY_SERVER, or that of the settings)',
]

/** Other users of this machine may see the URL among its processes, and come back in place of the person. */
const askAtTerminal = async (happens: string): Promise<void> => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return
  await confirm(happens, {}, 'the login was not kept')
}

const run = (flags: Flags): Promise<CommandOutput> => {
  const open = (url: string): void => {
    process.stderr.write(`Open this page, log in and answer:\n\n  ${url}\n\n`)
    if (flags.browser !== false) openBrowser(url)
  }
  return logIn(chooseServer(flags), open, askAtTerminal)
}

export const loginLines: readonly CommandLine[] = [
  {
    usage: 'login',
    does: 'log in through the browser, so that commands with --server act as you',
    examples: ['latchkey login --server https://auth.example.com'],
    settings: [],
    flags: [serverFlag, ['--no-browser', 'print the URL only']],
    run,
  },
  {
    usage: 'logout',
    does: 'end that login and its tokens',
    examples: ['latchkey logout --server https://auth.example.com'],
    settings: [],
    flags: [serverFlag],
    run: (flags) => logOut(chooseServer(flags)),
  },
]
