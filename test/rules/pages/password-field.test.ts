/** Every password can be shown, by a script that the page loads alone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { samples as allSamples, languageOf } from '../../pages/samples.ts'
import { tagsOf } from './reading.ts'

const samples = Object.entries(allSamples).filter(([name]) => languageOf(name) === null)

describe('a page with a password', () => {
  const pages = samples.filter(([, page]) => page.includes('type="password"'))

  test('is one of many', () => assert.ok(pages.length >= 8, `${pages.length} pages`))

  for (const [name, page] of pages) {
    test(`${name}: each field has a button that stays away without the script`, () => {
      const tags = tagsOf(page)
      const fields = tags.filter(({ attributes }) => attributes.type === 'password')
      const buttons = tags.filter(({ attributes }) => 'data-shows' in attributes)
      assert.deepEqual(
        buttons.map(({ attributes }) => attributes['data-shows']),
        fields.map(({ attributes }) => attributes.id),
      )
      for (const { attributes } of buttons) {
        assert.equal('hidden' in attributes, true)
        assert.equal(attributes.type, 'button')
      }
    })
  }

  for (const [name, page] of samples) {
    test(`${name}: at most one script`, () => {
      const scripts = tagsOf(page).filter(({ name: tag }) => tag === 'script')
      assert.ok(scripts.length <= 1)
    })
  }
})

describe('recovery codes', () => {
  const page = samples.find(([name]) => name === 'security-recovery')?.[1] ?? ''

  test('can be copied, printed and saved by a script, and are in no URL', () => {
    const acts = tagsOf(page).flatMap(({ attributes }) => attributes['data-act'] ?? [])
    assert.deepEqual(acts, ['copy', 'print', 'save'])
    const urls = tagsOf(page).flatMap(({ attributes: { href, src, action } }) => [
      href,
      src,
      action,
    ])
    for (const url of urls) assert.doesNotMatch(url ?? '', /k3f9w/)
  })
})
