/**
 * Takes the pictures of README.md from the real pages, at twice the resolution: `npm run pictures`.
 * The time is a fixed one, so the same pages give the same pictures. Needs Chromium.
 */
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { operatorOf } from '../flows/operator.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, type Browser } from '../support/browser.ts'
import { newConsoleVisitor } from '../support/console.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { authorizePath, callback } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'
import { findChromium, launch, withPage } from './chromium.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')
const hour = 3600
const day = 24 * hour

interface Application {
  readonly name: string
  readonly scope: string
  /** The request that its token is used for, and how often on each day. */
  readonly uses?: readonly [line: string, times: number]
}

const applications: readonly Application[] = [
  { name: 'Croquet Club', scope: 'calendar contacts:read', uses: ['GET /api/calendar', 2] },
  { name: 'Recipe Box', scope: 'photos:read' },
  { name: 'Letter Desk', scope: 'contacts:read', uses: ['GET /api/contacts', 1] },
  { name: 'Tea Timer', scope: 'calendar:read', uses: ['GET /api/calendar', 4] },
]

/** The demo's own application asks so. */
const asked = (scope: string, clientId = 'photo-printer'): string =>
  authorizePath({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    state: 'af0ifjsldkj',
    scope,
  })

interface Allowed {
  readonly token: string
  readonly uses: Application['uses']
}

const useAll = async (service: Started, allowed: readonly Allowed[]): Promise<void> => {
  for (const { token, uses: [line, times] = ['', 0] } of allowed) {
    const [method = '', path = ''] = line.split(' ')
    for (let count = 0; count < times; count++) {
      await service.ask(path, { method, headers: { authorization: `Bearer ${token}` } })
    }
  }
}

/** With their credentials. A token of the operator lasts for an hour. */
const register = async (service: Started) => {
  const operator = await operatorOf(service)
  const registered = []
  for (const application of applications) {
    const redirects = { redirect_uris: [callback] }
    const { body } = await operator('POST', 'clients', {
      client_name: application.name,
      ...redirects,
    })
    registered.push({ ...application, client: [body.client_id, body.client_secret] as const })
  }
  return registered
}

/** Programs come and go, and one of them has a wrong secret. */
const pass = async (service: Started): Promise<void> => {
  for (let minute = 0; minute < 60; minute += 4) {
    const form = { grant_type: 'client_credentials' }
    for (let count = 0; count < 3 + (minute % 7); count++) {
      await service.post('/token', form, nightlyReport)
    }
    if (minute % 3 === 0) await service.post('/token', form, ['nightly-report', 'a wrong secret'])
    await service.advance(4 * 60)
  }
}

/** Alice allows an application a day, and each uses its access. Events of one moment have no order. */
const liveThrough = async (service: Started): Promise<void> => {
  for (const { client, scope, uses } of await register(service)) {
    // A login does not last for a day.
    const alice = await enter(service)
    await service.advance(60)
    service.pass(60)
    const consent = await alice.go(asked(scope, client[0]))
    const end = await alice.submit(consent, { decision: 'allow', duration: 'month' })
    const { body } = await redeem(service, answerOf(end).code ?? '', client)
    await useAll(service, [{ token: body.access_token, uses }])
    await service.advance(60)
    await service.advance(day + 2 * hour)
  }
  const password = { grant_type: 'password', username: 'alice', password: 'wonderland' }
  const { body } = await service.post('/token', { ...password, scope: 'photos' }, houseApp)
  await useAll(service, [{ token: body.access_token, uses: ['GET /api/photos', 7] }])
  await service.advance(60)
  // An operator sees refusals of strangers, too.
  await service.post('/token', { ...password, password: 'looking-glass' }, houseApp)
  await service.advance(60)
  await service.ask(asked('photos').replace('callback', 'callbacks'))
  await pass(service)
}

const chromium = findChromium()
if (chromium === null) throw new Error('no Chromium here: set CHROMIUM_PATH or install it')
const service = await start({ issuer: 'http://127.0.0.1:6749' })
const browser = await launch(chromium)

/** The service of this process answers what the browser asks for. */
const answer = async (route: Route): Promise<void> => {
  const request = route.request()
  const init = { method: request.method(), headers: await request.allHeaders() }
  const { status, headers, text } = await service.ask(request.url(), init)
  await route.fulfill({ status, headers: Object.fromEntries(headers), body: text })
}

interface Picture {
  readonly width: number
  readonly height: number
  /** Cut below the end of a shorter page. */
  readonly isCut?: boolean
}

/** @param visitor who looks */
const take = (
  name: string,
  path: string,
  visitor: Browser | null,
  { width, height, isCut = false }: Picture,
): Promise<void> =>
  withPage(
    browser,
    { viewport: { width, height }, deviceScaleFactor: 2, reducedMotion: 'reduce' },
    async (page: Page) => {
      await page.route('**/*', answer)
      const cookies = [...(visitor?.cookies ?? [])].map(([key, value]) => ({ name: key, value }))
      await page.context().addCookies(cookies.map((one) => ({ ...one, url: service.issuer })))
      await page.clock.setFixedTime(service.now() * 1000)
      await page.goto(service.issuer + path)
      const edge = await page.evaluate<number>(
        `Math.ceil(document.querySelector('main').getBoundingClientRect().bottom) + 32`,
      )
      const clip = { x: 0, y: 0, width, height: isCut ? Math.min(edge, height) : height }
      await page.screenshot({ path: join(folder, `${name}.png`), clip })
    },
  )

const desk: Picture = { width: 1280, height: 800 }

try {
  await liveThrough(service)
  const alice = await enter(service)
  await service.advance(60)
  await take('front', '/', null, desk)
  const consent = await alice.go(asked('photos calendar:read'))
  const { pathname, search } = new URL(consent.url)
  await take('consent', pathname + search, alice, { width: 760, height: 1200, isCut: true })
  await take('account', '/account', alice, desk)
  await take('activity', '/account/events', alice, desk)
  const operator = await newConsoleVisitor(service)
  await take('console', '/admin', operator.browser, desk)
} finally {
  await browser.close()
  await service.close()
}
