/** A foot that names the zone of the browser is true: the page loads the script for its times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplesIn } from '../../pages/samples.ts'
import { english } from '../../support/view.ts'
import { tagsOf } from './reading.ts'

/** The script for passkeys writes times, too. */
const writers = ['/assets/times.js', '/assets/passkeys.js', '/assets/live.js']

const mainOf = (page: string): string => /<main[^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? ''

/** Some times name UTC themselves: they are right without a script. */
const needsZone = (main: string): boolean =>
  [...main.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].some(([, text = '']) => !text.endsWith('UTC'))

/** The pages of an owner who chose no zone. */
const readerless = samplesIn({ ...english, zone: 'UTC' })

/** The line that only paper shows. */
const onPaper = /<p class="on-paper">[^<]*<time [^>]*>([^<]*)<\/time>/

test('times of a page are written in the zone that its foot names', () => {
  const pages = Object.entries(readerless).filter(([, page]) => {
    const main = mainOf(page)
    return main.includes('data-zone=') && needsZone(main)
  })
  const silent = pages.filter(([, page]) => {
    const loaded = tagsOf(page).map(({ attributes }) => attributes.src ?? '')
    return !writers.some((writer) => loaded.includes(writer))
  })
  assert.notEqual(pages.length, 0)
  assert.deepEqual(
    silent.map(([name]) => name),
    [],
  )
})

test('the moment of a print names UTC, where no foot on the same paper names its zone', () => {
  const chosen = samplesIn({ ...english, zone: 'Asia/Shanghai' })
  const printed = [...Object.entries(readerless), ...Object.entries(chosen)]
    .filter(([, page]) => onPaper.test(page) && !page.includes('(UTC+8)'))
    .map(([name, page]) => [name, onPaper.exec(page)?.[1]?.endsWith('UTC')])
  assert.notEqual(printed.length, 0)
  assert.deepEqual(
    printed.filter(([, isNamed]) => isNamed !== true),
    [],
  )
})

test('a page of the account names a zone only where it shows a time', () => {
  const shown = ['profile', 'security', 'password', 'security-recovery', 'security-codes'].map(
    (name) => [name, mainOf(readerless[name] ?? '').includes('data-zone=')],
  )
  assert.deepEqual(Object.fromEntries(shown), {
    profile: false,
    security: true,
    password: false,
    'security-recovery': false,
    'security-codes': false,
  })
})
