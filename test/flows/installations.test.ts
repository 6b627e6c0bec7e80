/** Registrations that look alike: one application with many installations on the account page. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sentTo } from '../support/authorization.ts'
import { Browser, callback, codeRequest, formsOf, type Page, walk } from '../support/browser.ts'
import { type Started, start } from '../support/start.ts'
import { redeem, use } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

let service: Started
let operator: Operator
before(async () => {
  service = await start()
  operator = await operatorOf(service)
})
after(() => service.close())

interface Installed {
  readonly id: string
  readonly token: string
}

/** An installation that alice allowed something. */
const install = async (metadata: object = {}, scope = 'photos'): Promise<Installed> => {
  // The newest access comes first, and ids of one moment come in any order.
  await service.advance(1)
  const json = { client_name: 'Editor', redirect_uris: [callback], ...metadata }
  const { body } = await service.ask('/register', { json })
  const redirect_uri = (body.redirect_uris as string[]).at(0) ?? ''
  const asked = { ...codeRequest, client_id: body.client_id, redirect_uri, scope }
  const page = await walk(service, asked)
  const { code = '' } = sentTo(page, `${redirect_uri}?`)
  const answer = await redeem(service, code, [body.client_id, body.client_secret], { redirect_uri })
  assert.equal(answer.status, 200, answer.text)
  return { id: body.client_id, token: answer.body.access_token }
}

const account = async (): Promise<readonly [Browser, Page]> => {
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  return [browser, await browser.go('/account')]
}

const cardsOf = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<section class="card">\n<h2>.*?<\/section>/gs)].map(([card]) => card)

const nameOf = (card: string): string =>
  /<h2>(.*?)<\/h2>/.exec(card)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''

const installationsOf = (card: string): number =>
  Number(/<p>(\d+) installations of /.exec(card)?.[1] ?? 1)

const seen = (page: Page) => cardsOf(page).map((card) => [nameOf(card), installationsOf(card)])

/** Presses a button of the form that has it, in a card. */
const press = async (
  browser: Browser,
  page: Page,
  card: string,
  action: string,
  at = 0,
): Promise<Page> => {
  const forms = [...card.matchAll(/<form\b[\s\S]*?<\/form>/g)]
    .map(([html]) => html)
    .filter((html) => html.includes(`value="${action}"`))
  const [form] = formsOf(forms[at] ?? '')
  assert.ok(form)
  return browser.submitForm(page, form, { action })
}

describe('installations', () => {
  it('that look alike are one application with their number', async () => {
    const first = await install()
    const others = { client_name: 'Other' }
    await install(others)
    const second = await install()
    const third = await install(
      { redirect_uris: ['http://127.0.0.1:50123/other/path'] },
      'contacts:read',
    )
    const [browser, page] = await account()
    assert.deepEqual(seen(page), [
      ['Editor', 3],
      ['Other', 1],
    ])
    const [card = ''] = cardsOf(page)
    assert.match(card, /registered itself/)
    assert.equal(card.match(/<details class="more"><summary>Allowed since/g)?.length, 3)
    assert.match(card, /value="contacts:read"/)

    const narrowed = await press(browser, page, card, 'end', 1)
    assert.match(narrowed.text, /This access of .*Editor.* has ended. It still has another one/)
    assert.deepEqual(seen(narrowed)[0], ['Editor', 2])
    const works = async () => [
      await use(service, first.token),
      await use(service, second.token),
      await use(service, third.token),
    ]
    assert.deepEqual(await works(), [200, 401, 403])

    const again = await install()
    const [later, now] = await account()
    const ended = await press(later, now, cardsOf(now)[0] ?? '', 'end-installations')
    assert.match(ended.text, /The access of .*Editor.* has ended/)
    assert.deepEqual(seen(ended), [['Other', 1]])
    assert.deepEqual([...(await works()), await use(service, again.token)], [401, 401, 401, 401])
  })

  it('of another name, host, software id or owner of the registration stand alone', async () => {
    const software_id = 'editor'
    const name = 'Alone'
    const base = { client_name: name, software_id }
    await install(base)
    await install({ ...base, client_name: 'alone' })
    await install({ ...base, software_id: 'other' })
    await install({ client_name: name })
    await install({ ...base, redirect_uris: ['https://alone.example/cb'] })
    await install({ ...base, redirect_uris: [callback, 'cursor://x/y'] })
    const adopted = await install(base)
    await operator('PATCH', `clients/${adopted.id}`, { client_uri: 'https://alone.example/' })
    const [, page] = await account()
    const alone = seen(page).filter(([of]) => String(of).toLowerCase() === 'alone')
    assert.deepEqual(
      alone.map(([, count]) => count),
      Array(7).fill(1),
    )
  })

  it('end together on the word of their owner alone', async () => {
    await install({ client_name: 'Mine' })
    const [browser, page] = await account()
    const [form] = formsOf(cardsOf(page)[0] ?? '')
    const bob = new Browser(service)
    await bob.logIn(await bob.go('/login'), 'bob', 'builder')
    const [own] = formsOf((await bob.go('/account')).text).filter(({ fields }) => 'csrf' in fields)
    const { csrf = [], authorization = [] } = { ...form?.fields, csrf: own?.fields.csrf ?? [] }
    const answer = await bob.ask('/account', { csrf, authorization, action: 'end-installations' })
    assert.equal(answer.status, 303)
    const after = await browser.go('/account')
    assert.deepEqual(seen(after)[0], ['Mine', 1])
    const ended = await browser.submitForm(after, form ?? { action: '', fields: {} }, {
      action: 'end-installations',
    })
    assert.equal(
      seen(ended).some(([of]) => of === 'Mine'),
      false,
    )
  })
})
