/** What the command line says when something went wrong: one clear message, and an exit code. */
import { SettingsFault } from '../config/load.ts'

export interface ExitMessage {
  readonly message: string
  readonly exitCode: number
}

/** The remedy for a port that the system refused. */
const portFault = (error: NodeJS.ErrnoException): string | null => {
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

export const explain = (error: unknown): ExitMessage => {
  if (error instanceof SettingsFault) {
    const lines = error.faults.map((fault) => `  - ${fault}`)
    return { message: ['latchkey: the settings are wrong', ...lines].join('\n'), exitCode: 2 }
  }
  if (!(error instanceof Error)) return { message: `latchkey: ${error}`, exitCode: 1 }
  return { message: `latchkey: ${portFault(error) ?? error.message}`, exitCode: 1 }
}
