/** The end of a process: what it holds in memory is written. */
import type { Tell } from '../model/notice.ts'

/** @param held by name; one that cannot be written does not keep the others */
export const writeHeld = async (
  held: Readonly<Record<string, { flush(): Promise<void> }>>,
  tell: Tell,
): Promise<void> => {
  for (const [name, { flush }] of Object.entries(held)) {
    const message = `the last ${name} were not written`
    const note = (fault: unknown) => tell({ level: 'error', message, fault: String(fault) })
    await flush().catch(note)
  }
}
