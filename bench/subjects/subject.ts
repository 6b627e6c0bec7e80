/** A server that is measured: how it is started, and what it can be asked. */
import type { ChildProcess } from 'node:child_process'
import { Browser, callback, walk } from '../../test/support/browser.ts'
import { reach } from '../../test/support/reach.ts'
import { challenge, type Operation, type Target } from '../load/job.ts'
import { end, listeningPort } from '../process.ts'

export interface Subject {
  /** Short, as it stands in the table. */
  readonly name: string
  /** One sentence that says what it is and how it keeps things. */
  readonly about: string
  readonly kind: 'floor' | 'ours' | 'peer'
  /** Whether what it answered is still there after its process was killed. */
  readonly durable: boolean
  /** Families stored before; null where that does not apply. */
  readonly stored: number | null
  readonly offers: readonly Operation[]
  /** Whether tokens can be asked about at `/introspect`; else they are tried at the API. */
  readonly introspects: boolean
  /** Whether the load generator may keep its core to itself; see the job. */
  readonly awake: boolean
  readonly readPath: string
  readonly scope: string
  /** The scope of tokens that are to be read with. */
  readonly readScope: string
  /** Refresh tokens of families that lie scattered among those stored before. */
  readonly scattered?: readonly string[]
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

/** Starts a server, and walks through login and consent once, so that from then on it remembers. */
export const start = async (subject: Subject, onPort = 0): Promise<Running> => {
  const began = performance.now()
  const child = subject.spawn(onPort)
  const port = await listeningPort(child)
  const readyMilliseconds = Math.round(performance.now() - began)
  const service = reach(`http://127.0.0.1:${port}`)
  const browser = new Browser(service)
  const { kind, readPath, scope, readScope, offers } = subject
  for (const asked of new Set([scope, readScope])) {
    if (kind === 'floor' || !offers.includes('journey')) break
    const request = {
      response_type: 'code',
      client_id: 'photo-printer',
      redirect_uri: callback,
      state: 'xyz',
      scope: asked,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    const page = await walk(service, request, {}, browser)
    if (!page.headers.get('location')?.includes('code=')) {
      throw new Error(`${subject.name} gave no code: ${page.status} ${page.text.slice(0, 300)}`)
    }
  }
  const cookies = cookiesOf(browser)
  const loginForm = offers.includes('login') ? await login(service) : null
  return {
    subject,
    pid: child.pid ?? 0,
    readyMilliseconds,
    target: { port, readPath, scope, cookies, loginForm },
    stop: (signal) => end(child, signal),
  }
}
