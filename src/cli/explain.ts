/** What the command line says when something went wrong: one clear message, and an exit code. */
import { SettingsFault } from '../config/load.ts'
import { UsageFault } from '../config/remote.ts'
import { ApiFault } from './api.ts'

export interface ExitMessage {
  readonly message: string
  readonly exitCode: number
  /** HTTP status and error code, where the admin API refused. */
  readonly status?: number
  readonly code?: string
}

/** A command that failed in the service. */
export class FailedCommand extends Error {
  readonly outcome: ExitMessage

  constructor(outcome: ExitMessage) {
    super(outcome.message.replace(/^latchkey: /, ''))
    this.outcome = outcome
  }
}

/** The remedy for a port that the system refused. */
const explainPort = (error: NodeJS.ErrnoException): string | null => {
  const where = 'port' in error && 'address' in error ? `${error.address}:${error.port}` : 'there'
  if (error.code === 'EADDRINUSE') {
    return `another program listens on ${where}; end it, or choose another port with PORT`
  }
  if (error.code === 'EACCES' && error.syscall === 'listen') {
    return `listening on ${where} is not allowed; choose a port from 1024 on with PORT`
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return 'this machine has no such address to listen on; see HOST'
  }
  return null
}

/** A file that the command line names. */
const explainFile = ({ code, syscall, path }: NodeJS.ErrnoException): string | null => {
  if (syscall !== 'open' || path === undefined) return null
  if (code === 'ENOENT') return `there is no file ${path}, or its folder is not there`
  if (code === 'EEXIST') return `there is a file ${path} already: name another one, or remove it`
  return code === 'EACCES' ? `this user may not open ${path}` : null
}

export const explain = (error: unknown): ExitMessage => {
  if (error instanceof SettingsFault) {
    const lines = error.faults.map((fault) => `  - ${fault}`)
    return { message: ['latchkey: the settings are wrong', ...lines].join('\n'), exitCode: 2 }
  }
  if (error instanceof FailedCommand) return error.outcome
  if (error instanceof UsageFault) return { message: `latchkey: ${error.message}`, exitCode: 2 }
  if (error instanceof ApiFault) {
    const { message, status, title } = error
    return {
      message: `latchkey: ${message}`,
      // A wrong value.
      exitCode: status === 400 || status === 422 ? 2 : 1,
      ...(status === null ? {} : { status }),
      ...(title === null ? {} : { code: title }),
    }
  }
  if (!(error instanceof Error)) return { message: `latchkey: ${error}`, exitCode: 1 }
  return {
    message: `latchkey: ${explainPort(error) ?? explainFile(error) ?? error.message}`,
    exitCode: 1,
  }
}
