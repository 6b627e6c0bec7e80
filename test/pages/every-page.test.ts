/**
 * Every page in a real browser, loaded once. It is seen at four widths, in both schemes and both
 * directions, and by axe. Where this run takes pictures, they are kept.
 */
import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  findChromium,
  launch,
  newUndrawnPage,
  noChromium,
  picturesOf,
  resize,
  shoot,
  takesPictures,
} from './chromium.ts'
import { addAxe, barriersOn, enlarged, misfits } from './look.ts'
import { languageOf, samples } from './samples.ts'
import { openSeen, type Seen } from './seen.ts'
import { type Served, serveSamples } from './served.ts'
import { burdensOf } from './weight.ts'

const chromium = findChromium()
const pictures = picturesOf('pages')

const widths = [1920, 1280, 390, 320]
/** Of the widths, those with a layout of their own. */
const layouts = [1280, 390]

/** Pages that are looked at beside one another, in one browser: while one is drawn, another is asked. */
const beside = 2

const labelled = (label: string, faults: readonly string[]): readonly string[] =>
  faults.map((fault) => `${label}: ${fault}`)

/** It fits in both directions, and what machines read stays from left to right: one script for all. */
const faultsOfWidth = async (page: Page, width: number): Promise<readonly string[]> => {
  const found = await page.evaluate<{ straight: string[]; turned: string[] }>(`(() => {
    const straight = ${misfits}
    const { documentElement: root } = document
    const { dir } = root
    root.dir = 'rtl'
    const codes = [...document.querySelectorAll('code, pre')].filter((of) => {
      const { direction, unicodeBidi } = getComputedStyle(of)
      return direction !== 'ltr' || unicodeBidi !== 'isolate'
    }).map((of) => 'code from right to left: ' + of.innerText)
    const turned = [...${misfits}, ...codes]
    if (dir === '') root.removeAttribute('dir')
    else root.dir = dir
    return { straight, turned }
  })()`)
  return [...labelled(`${width}`, found.straight), ...labelled(`${width} turned`, found.turned)]
}

/** In both colour schemes: axe, and a picture. The schemes differ in colours only. */
const faultsOfLayout = async (page: Page, name: string, width: number): Promise<string[]> => {
  const light = labelled(`${width} light`, await barriersOn(page, 'all'))
  await shoot(page, 'pages', `${name}-${width}-light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = labelled(`${width} dark`, await barriersOn(page, 'colours'))
  await shoot(page, 'pages', `${name}-${width}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark]
}

/** A browser knows each element. An unknown one is a slip of a program or a pen. */
const faultsOfElements = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('*')]
      .filter((of) => of instanceof HTMLUnknownElement)
      .map((of) => 'unknown element: ' + of.outerHTML)`,
  )

/** The system may choose the colours. Then an edge replaces a background. */
const faultsForced = async (page: Page): Promise<readonly string[]> => {
  await page.emulateMedia({ forcedColors: 'active' })
  const edgeless = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('.notice, .tag, button')]
      .filter((of) => getComputedStyle(of).borderBlockStartStyle !== 'solid')
      .map((of) => 'no edge: ' + of.outerHTML)`,
  )
  await page.emulateMedia({ forcedColors: 'none' })
  return edgeless
}

/** A page in the first language: all its layouts, in all colours and both directions. */
const faultsInFull = async (page: Page, name: string): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const width of widths) {
    await resize(page, width)
    faults.push(...(await faultsOfWidth(page, width)))
    if (layouts.includes(width)) faults.push(...(await faultsOfLayout(page, name, width)))
  }
  // The last width is the least.
  faults.push(...labelled('enlarged', await page.evaluate<readonly string[]>(enlarged)))
  return [...faults, ...labelled('forced', await faultsForced(page))]
}

/** A page in a further language: the words differ, the colours do not. */
const faultsOfWords = async (page: Page, name: string): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const width of widths) {
    await resize(page, width)
    faults.push(...labelled(`${width}`, await page.evaluate<readonly string[]>(misfits)))
  }
  faults.push(...(await barriersOn(page, 'words')))
  await shoot(page, 'pages', `${name}-${widths.at(-1)}-light`)
  return faults
}

/** One page to look at all pictures. */
const writeIndex = (): void => {
  const lines = readdirSync(pictures)
    .filter((file) => file.endsWith('.jpg'))
    .map(
      (file) =>
        `<figure><img src="${file}" loading="lazy"><figcaption>${file}</figcaption></figure>`,
    )
  const style = 'body{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}img{max-width:24rem}'
  writeFileSync(
    join(pictures, 'index.html'),
    `<!doctype html><title>Pages</title><style>${style}</style>\n${lines.join('\n')}\n`,
  )
}

describe('every page in a browser', { skip: noChromium(chromium), concurrency: beside }, () => {
  let browser: Browser
  let served: Served
  let seen: Seen
  /** Pages that no test looks at now, each with the errors of its console. */
  const free: { readonly page: Page; readonly errors: string[] }[] = []

  before(async () => {
    // None is left of an earlier run: a page may have gone since then.
    if (takesPictures) rmSync(pictures, { recursive: true, force: true })
    seen = openSeen('every', chromium ?? '')
    browser = await launch(chromium ?? '')
    served = await serveSamples()
    for (let count = 0; count < beside; count++) {
      const page = await newUndrawnPage(browser, {
        viewport: { width: 1920, height: 800 },
        reducedMotion: 'reduce',
      })
      await addAxe(page)
      const errors: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      free.push({ page, errors })
    }
  })
  after(async () => {
    await browser.close()
    served.close()
    if (takesPictures) writeIndex()
  })

  const withFree = async (look: (page: Page, errors: string[]) => Promise<void>): Promise<void> => {
    const taken = free.pop() ?? assert.fail('more tests at a time than pages')
    taken.errors.length = 0
    try {
      await look(taken.page, taken.errors)
    } finally {
      free.push(taken)
    }
  }

  for (const [name, html] of Object.entries(samples)) {
    test(name, async () => {
      if (seen.has(name, html)) return
      await withFree(async (page, errors) => {
        await page.goto(`${served.origin}/${name}`)
        const isFirst = languageOf(name) === null
        const faults = [
          ...(await burdensOf(page, html)),
          ...(await faultsOfElements(page)),
          ...(await (isFirst ? faultsInFull : faultsOfWords)(page, name)),
        ]
        assert.deepEqual({ errors, faults }, { errors: [], faults: [] })
      })
      seen.add(name, html)
    })
  }

  test('what is wrong with a page is found', () =>
    withFree(async (page) => {
      const html = `<html><link rel="stylesheet" href="/a.css">
      <script src="/a.js"></script><script src="/b.js"></script>
      <p>pale</p><table><tr><td>${'w'.repeat(90)}</table><button>press</button><select aria-label="one"></select><code>code</code>`
      const planted: Readonly<Record<string, string>> = {
        '/planted': html,
        '/a.css': '@import "/b.css";',
        '/b.css': `/* ${'x'.repeat(80_000)} */
        p { inline-size: 2000px; color: #eee; background: #fff; }
        td { display: block; inline-size: 20px; overflow: hidden; }
        button { font-size: 4px; padding: 0; border: none; }
        select { font-size: 14px; }
        code { direction: rtl; }`,
        '/a.js': '',
        '/b.js': '',
      }
      const types = { css: 'text/css', js: 'text/javascript' }
      await page.route(/\/(planted|[ab]\.(css|js))$/, (route) => {
        const path = new URL(route.request().url()).pathname
        const [, ending] = path.split('.')
        const contentType = types[ending as keyof typeof types] ?? 'text/html'
        return route.fulfill({ body: planted[path] ?? '', contentType })
      })
      await page.goto(`${served.origin}/planted`)
      const bytes = Object.values(planted).join('').length
      const burdens = [`${bytes} bytes`, '2 stylesheets', '2 scripts', 'late: /b.css']
      assert.deepEqual(await burdensOf(page, html), burdens)
      // What it says of an element or of a number of pixels is left out.
      const nameKinds = (faults: readonly string[]): readonly string[] =>
        faults.map((fault) => fault.replace(/ by \d+ px$|: (?:<|c|p|ww)[^:]*$/, ''))
      const kinds = nameKinds(await faultsInFull(page, 'planted'))
      const ofWidth = [
        'wider',
        'letters of less than 16 px',
        'reaches into the next column',
        'less than 24 px',
      ]
      const turned = [...ofWidth, 'code from right to left']
      const barriers = [
        'document-title',
        'html-has-lang',
        'landmark-one-main',
        'page-has-heading-one',
      ]
      const light = ['color-contrast', ...barriers, 'region', 'region', 'region', 'region']
      const expected = widths.flatMap((width) => [
        ...labelled(`${width}`, ofWidth),
        ...labelled(`${width} turned`, turned),
        ...(layouts.includes(width)
          ? [...labelled(`${width} light`, light), `${width} dark: color-contrast`]
          : []),
      ])
      assert.deepEqual(kinds, [...expected, 'enlarged: wider', 'forced: no edge'])
      assert.deepEqual(nameKinds(await faultsOfWords(page, 'planted')), [
        ...widths.flatMap((width) => labelled(`${width}`, ofWidth)),
        ...light.filter((barrier) => barrier !== 'color-contrast'),
      ])
    }))
})
