/** A server that is measured: how it is started, and what it can be asked. */
import type { ChildProcess } from 'node:child_process'
import { answerOf, Browser, type Page } from '../../test/support/browser.ts'
import { callback, walk } from '../../test/support/printing.ts'
import { reach } from '../../test/support/reach.ts'
import {
  type Application,
  application,
  type Credentials,
  challenge,
  idTokenScope,
  isIdTokenOperation,
  type Operation,
  service as ownClient,
  type Target,
  verifier,
} from '../load/job.ts'
import type { Mint } from '../mint.ts'
import { makeResourceServer } from '../operator.ts'
import { end, listeningPort } from '../process.ts'

export interface Subject {
  /** Short, as it stands in the table. */
  readonly name: string
  /** One sentence that says what it is and how it keeps things. */
  readonly about: string
  readonly kind: 'floor' | 'ours' | 'peer'
  /** Whether what it answered is still there after its process was killed. */
  readonly durable: boolean
  /** Whether it is still there after the machine lost its power, too. */
  readonly fsynced: boolean
  /** Families stored before; null where that does not apply. */
  readonly stored: number | null
  /** The earlier commit that it is of. */
  readonly commit?: string
  readonly offers: readonly Operation[]
  /** Whether tokens can be asked about at `/introspect`; else they are tried at the API. */
  readonly introspects: boolean
  /** Whether the load generator may keep its core to itself; see the job. */
  readonly awake: boolean
  readonly readPath: string
  readonly scope: string
  /** The scope of tokens that are to be read with. */
  readonly readScope: string
  /** What alice is shown at `readPath`; found out where it is not said. */
  readonly shows?: readonly string[]
  /** What the body of an answer to a revocation has to be. */
  readonly revoked: string
  /** The client whose own tokens are JWTs. */
  readonly jwtClient?: (port: number) => Promise<Credentials>
  /** The client that sends assertions; null where the server takes neither them nor DPoP proofs. */
  readonly keyClient?: (port: number) => Promise<string | null>
  /** The client whose ID tokens are signed with ES256. Those of the application are with RS256. */
  readonly idTokenClient?: (port: number) => Promise<Application>
  /** Makes codes and tokens of owners that lie scattered among all that were stored before. */
  readonly mint?: Mint
  /** @param port the port to listen on, 0 for a free one */
  spawn(port: number): ChildProcess
}

export interface Running {
  readonly subject: Subject
  readonly pid: number
  /** From the start of the process to the line that says it is ready. */
  readonly readyMilliseconds: number
  readonly target: Target
  stop(signal?: NodeJS.Signals): Promise<void>
}

const login = async (service: ReturnType<typeof reach>): Promise<Target['loginForm']> => {
  const browser = new Browser(service)
  const page = await browser.go(`${service.issuer}/login`)
  const csrf = /name="csrf"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="csrf"/.exec(page.text)
  if (csrf === null) throw new Error(`no login form came: ${page.status}`)
  return { csrf: csrf[1] ?? csrf[2] ?? '', cookies: cookiesOf(browser) }
}

const cookiesOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** What a read with the token of alice's code shows: the items by their ids, or who she is. */
const findShown = async (
  service: ReturnType<typeof reach>,
  page: Page,
  readPath: string,
): Promise<readonly string[]> => {
  const form = {
    grant_type: 'authorization_code',
    code: answerOf(page).code ?? '',
    redirect_uri: callback,
    code_verifier: verifier,
  }
  const { body } = await service.post('/token', form, [application.id, application.secret])
  const headers = { authorization: `Bearer ${body.access_token}` }
  const { text } = await service.ask(readPath, { headers })
  const shown = text.match(/"(?:id|sub)":"[^"]+"/g)
  if (shown === null) throw new Error(`it shows alice nothing: ${text.slice(0, 300)}`)
  return shown
}

const idTokenClients = async (
  { idTokenClient }: Subject,
  port: number,
): Promise<Target['idTokens']> =>
  idTokenClient === undefined
    ? null
    : { 'id-token-rs256': application, 'id-token-es256': await idTokenClient(port) }

/** Walks through login and consent once, so that from then on the server remembers. */
const enter = async (subject: Subject, port: number): Promise<Target> => {
  const service = reach(`http://127.0.0.1:${port}`)
  const browser = new Browser(service)
  const { kind, readPath, scope, readScope, offers, revoked, mint } = subject
  let shows = subject.shows ?? []
  const idTokens = offers.some(isIdTokenOperation) ? await idTokenClients(subject, port) : null
  const asking = [...new Set([scope, readScope])].map((asked) => [application, asked] as const)
  const others = Object.values(idTokens ?? {}).map((one) => [one, idTokenScope] as const)
  for (const [client, asked] of [...asking, ...others]) {
    if (kind === 'floor' || !offers.includes('journey')) break
    const request = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: callback,
      state: 'xyz',
      scope: asked,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    const page = await walk(service, request, {}, browser)
    if (!page.headers.get('location')?.includes('code=')) {
      throw new Error(`it gave no code: ${page.status} ${page.text.slice(0, 300)}`)
    }
    if (client === application && asked === readScope && offers.includes('read')) {
      shows = await findShown(service, page, readPath)
    }
  }
  if (kind === 'ours') await makeResourceServer(port)
  return {
    port,
    readPath,
    shows,
    // The tokens that are made were issued to the application, the others to the client that has its own.
    revoker: mint === undefined ? ownClient : application,
    revoked,
    application,
    scope,
    jwtService: (await subject.jwtClient?.(port)) ?? null,
    keyClient: (await subject.keyClient?.(port)) ?? null,
    idTokens,
    cookies: cookiesOf(browser),
    loginForm: offers.includes('login') ? await login(service) : null,
  }
}

/** Starts a server and makes it ready to be measured. */
export const start = async (subject: Subject, onPort = 0): Promise<Running> => {
  const began = performance.now()
  const child = subject.spawn(onPort)
  try {
    const port = await listeningPort(child)
    const readyMilliseconds = Math.round(performance.now() - began)
    subject.mint?.servedAt(port)
    const target = await enter(subject, port)
    const stop: Running['stop'] = (signal) => end(child, signal)
    return { subject, pid: child.pid ?? 0, readyMilliseconds, target, stop }
  } catch (fault) {
    await end(child, 'SIGKILL')
    throw fault
  }
}
