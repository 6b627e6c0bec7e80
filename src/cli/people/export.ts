/** `latchkey owner export [FILE]`: all owners, one line of JSON each, for `owner import`. */
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { useStore } from '../on-store.ts'
import { countOf } from '../progress.ts'
import type { Flags } from '../store.ts'
import type { ExportPage } from './batch.ts'

type ExportOutput = WriteStream | NodeJS.WriteStream

const write = async (output: ExportOutput, text: string): Promise<void> => {
  if (!output.write(text)) await once(output, 'drain')
}

const exportTo = (output: ExportOutput, flags: Flags): Promise<number> =>
  useStore('owner export', flags, async (run) => {
    const { withPasswordHashes } = flags
    const isShown = process.stderr.isTTY && output !== process.stdout
    let after: string | null = null
    let count = 0
    do {
      const answer = await run('owner export', { after, withPasswordHashes })
      const page: ExportPage = JSON.parse(answer)
      await write(output, page.lines.map((line) => `${line}\n`).join(''))
      count += page.lines.length
      after = page.next
      if (isShown) process.stderr.write(`\r\u001b[Kexported ${countOf(count, 'owner', 'owners')}`)
    } while (after !== null)
    if (isShown) process.stderr.write('\r\u001b[K')
    return count
  })

/** A file that broke off does not stay: it would look like a whole one. */
const exportToFile = async (path: string, flags: Flags): Promise<number> => {
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(output, 'open')
  try {
    const count = await exportTo(output, flags)
    output.end()
    await finished(output)
    return count
  } catch (fault) {
    output.destroy()
    await rm(path, { force: true })
    throw fault
  }
}

/** @returns null where the owners themselves were printed */
export const exportPeople = async (
  path: string | undefined,
  flags: Flags,
): Promise<string | null> => {
  if (path === undefined) {
    await exportTo(process.stdout, flags)
    return null
  }
  const owners = await exportToFile(path, flags)
  if (flags.json === true) return JSON.stringify({ file: path, owners }, null, 2)
  return `Exported ${countOf(owners, 'owner', 'owners')} to ${path}.`
}
