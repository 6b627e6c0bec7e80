/** F-03: the power fails. Only data on the disk is left; pages in memory are gone. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { constants, copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { reach } from '../support/reach.ts'
import { record } from './audit.ts'
import { fullCycles } from './extent.ts'
import { newFolder } from './folder.ts'
import { replay } from './replay.ts'
import { type Killable, launch } from './service.ts'

const cuts = fullCycles ?? 1

const run = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args, { stdio: 'ignore' })
}

/** A disk in memory; null where this user may not mount one. */
const makeDisk = (folder: string): string | null => {
  const image = join(folder, 'disk')
  const place = join(folder, 'mounted')
  try {
    writeFileSync(image, '')
    truncateSync(image, 48 << 20)
    mkdirSync(place)
    run('mkfs.ext4', '-q', '-F', image)
    run('mount', '-o', 'loop', image, place)
    run('umount', place)
    return image
  } catch {
    return null
  }
}

test('F-03 a power cut: what was acknowledged had reached the disk', async (t) => {
  const { path: folder, remove } = newFolder()
  const place = join(folder, 'mounted')
  let service: Killable | null = null
  let image = makeDisk(folder)
  let isMounted = false
  t.after(async () => {
    await service?.kill()
    if (isMounted) run('umount', place)
    remove()
  })
  if (image === null) return t.diagnostic('left out: only root can mount a disk in memory')
  let acknowledged = 0
  for (let cut = 0; cut < cuts; cut++) {
    run('mount', '-o', 'loop', image, place)
    isMounted = true
    const store = `sqlite:${join(place, 'latchkey.db')}`
    service = await launch(store, place)
    const file = join(folder, `history-${cut}`)
    const recorder = record(t, service.issuer, file)
    await recorder.until(40 + 7 * (cut % 10))
    // Nothing is acknowledged from here on; the disk as it is now is what the power cut leaves.
    process.kill(service.pid, 'SIGSTOP')
    const left: string = join(folder, `disk-${cut % 2}`)
    copyFileSync(image, left, constants.COPYFILE_FICLONE)
    await service.kill()
    await recorder.stop()
    run('umount', place)
    run('mount', '-o', 'loop', left, place)
    service = await launch(store, place)
    const findings = await replay(file, reach(service.issuer))
    assert.deepEqual(findings.broken, [])
    acknowledged += findings.acknowledged
    await service.kill()
    run('umount', place)
    isMounted = false
    image = left
  }
  t.diagnostic(`${cuts} power cuts, ${acknowledged} acknowledged, 0 lost`)
})
