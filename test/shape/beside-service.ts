/** The demo as a process of its own, and an `npx --no-install latchkey` for the scripts of documents beside it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from './made-program.ts'
import { shellEnvironment, startProgram, writeScript } from './process.ts'

export interface BesideService {
  readonly issuer: string
  /** For programs that call `npx --no-install latchkey`. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export const startBesideService = async (): Promise<BesideService> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-beside-'))
  const latchkey = `"${process.execPath}" "${program}"`
  // The first argument is the name of the package.
  writeScript(join(folder, 'bin'), 'npx', [`shift 2; exec ${latchkey} "$@"`])
  const store = `sqlite:${join(folder, 'latchkey.db')}`
  const env = shellEnvironment(join(folder, 'bin'), { LATCHKEY_STORE: store, PORT: '0' })
  const service = startProgram(process.execPath, [program], { cwd: folder, env })
  const issuer = await service.ready
  return {
    issuer,
    env: { PATH: String(env.PATH), LATCHKEY_STORE: store },
    async close() {
      process.kill(service.pid, 'SIGTERM')
      await service.ended
      rmSync(folder, { recursive: true })
    },
  }
}
