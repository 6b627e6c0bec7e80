/** The tools that read all of the code have nothing to say: types, lint and format, dead code. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runTool } from './tool.ts'

describe('the tools', () => {
  it('find no wrong type (tsc)', async () => {
    const { code, output } = await runTool(
      'typescript/bin/tsc',
      '--singleThreaded',
      '--project',
      '.',
    )
    assert.equal(code, 0, output)
  })

  it('find nothing to lint or format (biome)', async () => {
    const { code, output } = await runTool(
      '@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      '--colors=off',
    )
    assert.equal(code, 0, output)
  })

  it('find no dead code and no unused dependency (knip)', async () => {
    const { code, output } = await runTool('knip/bin/knip.js', '--no-progress')
    assert.equal(code, 0, output)
  })
})
