/** A real SMTP server on a free port, and the messages that it took. */
import { SMTPServer } from 'smtp-server'
import type { Certificate } from './certificate.ts'

interface Taken {
  readonly from: string
  readonly to: readonly string[]
  readonly message: string
  readonly isEncrypted: boolean
}

interface SmtpOptions {
  /** TLS from the start. */
  readonly secure?: Certificate
  /** TLS by STARTTLS. Without either there is none. */
  readonly upgrade?: Certificate
}

/** A server on a free port. `refuses`, `refusesText`: what it answers recipients and texts with. */
export const openSmtp = async ({ secure, upgrade }: SmtpOptions = {}) => {
  const taken: Taken[] = []
  const passwords: { readonly password: string; readonly isEncrypted: boolean }[] = []
  const state = {
    refuses: 0,
    refusesText: 0,
    takes: Number.POSITIVE_INFINITY,
    /** Called instead of an answer to a recipient: the server hangs. */
    hangs: null as (() => void) | null,
  }
  const server = new SMTPServer({
    authOptional: true,
    secure: secure !== undefined,
    ...(secure ?? upgrade),
    disabledCommands: upgrade === undefined ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, session, done) => {
      passwords.push({ password: password ?? '', isEncrypted: session.secure })
      return username === 'latchkey' && password === 'p@ss/word'
        ? done(null, { user: 'latchkey' })
        : done(new Error('Invalid username or password'))
    },
    onRcptTo: (_address, _session, done) => {
      if (state.hangs !== null) state.hangs()
      else if (state.refuses === 0) done()
      else done(Object.assign(new Error('refused'), { responseCode: state.refuses }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const status = taken.length < state.takes ? state.refusesText : 450
        if (status !== 0) {
          done(Object.assign(new Error('refused'), { responseCode: status }))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString(),
          isEncrypted: session.secure,
        })
        done()
      })
    },
  })
  // A client that breaks off.
  server.on('error', () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    taken,
    passwords,
    state,
    port,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

export type SmtpServer = Awaited<ReturnType<typeof openSmtp>>

/** The readable parts of a message: quoted-printable and base64 undone. */
export const decoded = (message: string): string =>
  message
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
