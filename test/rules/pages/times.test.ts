/** A foot that names the zone of the browser is true: the page loads the script for its times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayClock, sayDay, sayWhen } from '../../../src/paper/time.ts'
import { samplesIn } from '../../pages/samples.ts'
import { english, languages } from '../../support/view.ts'
import { tagsOf } from './reading.ts'

/** The script for passkeys writes times, too. */
const writers = ['/assets/account.js', '/assets/passkeys.js', '/assets/live.js']

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

const hour = 3600
const day = 24 * hour

/** Friday, 27 November 2026, 09:00 UTC. */
const now = Date.UTC(2026, 10, 27, 9) / 1000

const textOf = (said: unknown): string => String(said).replaceAll(/<[^>]*>/g, '')

/** Moments by how far away they are from now, in seconds. */
const away = [-720, -3 * hour, -day, -2 * day, -6 * day, -7 * day, -400 * day, 2 * hour, 3 * day]

const forms: Readonly<Record<string, readonly string[]>> = {
  en: [
    '12 min ago',
    '3 hours ago',
    'yesterday',
    'Wednesday',
    'Saturday',
    '20 Nov',
    '23 Oct 2025',
    'in 2 hours',
    'Monday',
  ],
  de: [
    'vor 12 Min.',
    'vor 3 Stunden',
    'gestern',
    'Mittwoch',
    'Samstag',
    '20. Nov.',
    '23.10.2025',
    'in 2 Stunden',
    'Montag',
  ],
  zh: [
    '12分钟前',
    '3小时前',
    '昨天',
    '星期三',
    '星期六',
    '11月20日',
    '2025年10月23日',
    '2小时后',
    '星期一',
  ],
}

test('a moment has one form: how far away within a day, the day of the week, the date', () => {
  for (const [tag, expected] of Object.entries(forms)) {
    const language = languages.find((one) => one.tag === tag) ?? english.language
    const said = away.map((seconds) => sayWhen(now + seconds, now, { language, zone: 'UTC' }))
    assert.deepEqual(said.map(textOf), expected, tag)
  }
})

test('a moment tells programs when it is, and days begin in the zone of the owner', () => {
  const { language } = english
  const late = Date.UTC(2026, 10, 25, 23, 30) / 1000
  const iso = '2026-11-25T23:30:00Z'
  const said = (zone: string) => String(sayWhen(late, now, { language, zone }))
  assert.equal(said('UTC'), `<span data-as="when"><time datetime="${iso}">Wednesday</time></span>`)
  assert.equal(textOf(said('Europe/Berlin')), 'yesterday')
  assert.equal(textOf(sayDay(now, now, { language, zone: 'UTC' })), 'today')
  assert.equal(textOf(sayDay(late, now, { language, zone: 'Europe/Berlin' })), 'yesterday')
  assert.equal(textOf(sayClock(late, { language, zone: 'Europe/Berlin' })), '00:30')
})
