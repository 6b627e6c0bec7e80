/** Uses on pages: the drawing, its numbers, unused accesses, and the ledger. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UseDay } from '../../../src/model/use.ts'
import { renderUseDrawing } from '../../../src/rooms/account/ledger/drawing.ts'
import { type LedgerPage, renderLedger } from '../../../src/rooms/account/ledger/page.ts'
import { chinese, english } from '../../support/view.ts'
import { tagsOf, textOf } from './reading.ts'

const today = 20_000
const none = { reads: 0, writes: 0, checks: 0, refused: 0 }

const draw = (counted: readonly UseDay[], language = english.language): string =>
  String(renderUseDrawing({ counted, days: 30, today }, language))

const barsOf = (page: string) =>
  tagsOf(page)
    .filter(({ name }) => name === 'rect')
    .map(({ attributes: { class: kind, x, y, height } }) => [kind, ...[x, y, height].map(Number)])

test('a day is a column of reads, writes, checks and refusals, today being the last', () => {
  const page = draw([
    { ...none, day: today, reads: 58 },
    { ...none, day: today - 1, reads: 29, writes: 29 },
    { ...none, day: today - 29, checks: 1, refused: 8 },
  ])
  assert.deepEqual(barsOf(page), [
    ['reads', 291.4, 27.5, 72.5],
    ['reads', 281.4, 63.7, 36.3],
    ['writes', 281.4, 27.4, 36.3],
    ['others', 1.4, 98.5, 1.5],
    ['refused', 1.4, 88.5, 10],
  ])
})

test('whatever the numbers, no bar leaves the drawing, and none is too small to see', () => {
  for (const most of [1, 2, 1000, Number.MAX_SAFE_INTEGER / 4]) {
    const page = draw([
      { day: today, reads: most, writes: 1, checks: 1, refused: most },
      { day: today - 1, reads: 1, writes: most, checks: 1, refused: 0 },
    ])
    for (const [, , y, height] of barsOf(page)) {
      assert.ok(Number(y) >= 0 && Number(height) >= 1.5 && Number(y) + Number(height) <= 100.1)
    }
  }
})

test('is a picture with a name, told in words and in numbers', () => {
  const page = draw([
    { day: today, reads: 1, writes: 1234, checks: 0, refused: 0 },
    { day: today - 3, reads: 2, writes: 0, checks: 1, refused: 5 },
  ])
  const [svg] = tagsOf(page).filter(({ name }) => name === 'svg')
  assert.equal(svg?.attributes.role, 'img')
  assert.equal(
    svg?.attributes['aria-label'],
    'Uses on each of 30 days: 3 seen, 1,234 changed, 1 elsewhere, 5 refused, Most on 4 Oct: 1,235',
  )
  const text = textOf(page)
  assert.match(
    text,
    /3 seen 1,234 changed 1 elsewhere 5 refused Most on 4 Oct: 1,235 2,000 1,000 0/,
  )
  assert.match(text, /5 Sept 20 Sept Today \(UTC\)/)
  assert.match(text, /Day \(UTC\) Seen Changed/)
  assert.match(text, /4 October 2024 1 1,234 0 0 1 October 2024 2 0 1 5/)
})

test('days before the first one are not drawn, and where nothing is left it says so', () => {
  const page = draw([{ ...none, day: today - 30, reads: 5 }])
  assert.deepEqual(barsOf(page), [])
  assert.equal(textOf(page), ' Not used in the last 30 days. ')
  assert.match(textOf(draw([], chinese.language)), /最近 30 天没有使用。/)
})

test('a line of the ledger says when, what, from where, and whether it was let', () => {
  const line = {
    minute: 60,
    resource: 'photos',
    title: 'photos',
    action: 'read',
    allowed: true,
    network: '192.0.2.*',
    minutes: 1,
    uses: 1,
    lastAt: 3605,
  } as const
  const given: LedgerPage = {
    view: english,
    csrf: 'c',
    owner: { username: 'alice', name: 'Alice' },
    id: 'one',
    clientName: 'Printer',
    clientRegisteredBy: 'operator',
    clientUri: null,
    endedAt: null,
    now: 7200,
    days: 30,
    before: null,
    lines: [
      line,
      { ...line, action: 'write', uses: 3, allowed: false, network: '' },
      { ...line, action: 'check', resource: 'shop', title: 'Shop' },
      { ...line, target: 'img_2', item: 'Lake' },
      { ...line, action: 'write', target: 'img_1', item: null },
      { ...line, minute: 0, minutes: 60 },
      { ...line, minute: 0, minutes: 1440 },
    ],
    next: 'x y',
    nextFile: null,
  }
  const page = renderLedger(given)
  const text = textOf(page).replaceAll(/\s+/g, ' ')
  assert.match(text, /What Printer did/)
  assert.match(text, /today Saw photos From 192\.0\.2\.\* 01:00/)
  assert.match(text, /Refused: it tried to change photos 3 times · From other networks 01:00/)
  assert.match(text, /Used at Shop Another API, .* Only that API knows the network\. 01:00/)
  assert.match(text, /Saw Lake in photos From/)
  assert.match(text, /Changed img_1 in photos From/)
  assert.match(text, /within one hour · From 192\.0\.2\.\* 00:00/)
  assert.match(text, /within the day \(UTC\) · From/)
  assert.match(text, /Lines are kept for 30 days/)
  assert.doesNotMatch(text, /A file holds|This access ended/)
  const linksOf = (html: string) => tagsOf(html).flatMap(({ attributes: { href } }) => href ?? [])
  const ledger = '/account/ledger?authorization=one'
  const file = '/account/ledger.json?authorization=one'
  const own = (html: string) => linksOf(html).filter((href) => href.includes('ledger'))
  assert.deepEqual(own(page), [`${ledger}&before=x+y`, file])
  const later = { ...given, before: 'here', nextFile: 'z', endedAt: 3600 }
  const part = renderLedger(later)
  assert.match(textOf(part), /This access ended: 1 January 1970, 01:00 UTC/)
  assert.match(textOf(part), /A file holds 1,000 lines/)
  assert.deepEqual(own(part), [`${ledger}&before=x+y`, `${file}&before=here`, `${ledger}&before=z`])
})
