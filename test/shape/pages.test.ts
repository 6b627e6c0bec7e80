/** The generated pages of `docs/` say what the code says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, it } from 'node:test'
import { generatedPages } from './pages.ts'

describe('the generated pages', () => {
  for (const { path, render } of generatedPages) {
    it(`${basename(path)} is up to date (else: npm run docs)`, () => {
      assert.equal(readFileSync(path, 'utf8'), render())
    })
  }
})
