/** The file of `event follow --position` outlives a power failure. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, it, mock } from 'node:test'
import { writePosition } from '../../../src/cli/admin/follow.ts'

describe('the file of a position', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'position-'))
  afterEach(() => {
    mock.restoreAll()
    syncBuiltinESMExports()
  })
  after(() => fs.rmSync(folder, { recursive: true }))

  it('comes to the disk before it has its name, and then the name', () => {
    const path = join(folder, 'audit.position')
    const done: string[] = []
    const { fsyncSync, renameSync } = fs
    const [ofFile, ofFolder] = [() => fs.statSync(`${path}.new`).ino, () => fs.statSync(folder).ino]
    mock.method(fs, 'fsyncSync', (file: number) => {
      const { ino } = fs.fstatSync(file)
      if (ino === ofFolder()) done.push('folder')
      else if (fs.existsSync(`${path}.new`) && ino === ofFile()) done.push('file')
      fsyncSync(file)
    })
    mock.method(fs, 'renameSync', (from: string, to: string) => {
      done.push('rename')
      renameSync(from, to)
    })
    syncBuiltinESMExports()
    writePosition(path, '12.0')
    assert.deepEqual(done, ['file', 'rename', 'folder'])
    assert.equal(fs.readFileSync(path, 'utf8'), '12.0\n')
  })
})
