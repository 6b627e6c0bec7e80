/** Registrations that look alike: one application with many installations on the account page. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessFormsOn, accessPathsOn, openAccess } from '../support/accesses.ts'
import { sentTo } from '../support/authorization.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { redeem, use } from '../support/tokens.ts'
import { startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

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

/** Each line of the list: the name, and how many installations it says. */
const seen = ({ text }: Page) =>
  [...text.matchAll(/<div class="app"><a [^>]*>(.*?)<\/a><span class="what">(.*?)<\/span>/g)].map(
    ([, name = '', tags = '']) => [
      name.replaceAll(/<[^>]*>/g, ''),
      Number(/(\d+) installations/.exec(tags)?.[1] ?? 1),
    ],
  )

/** Presses a button of a form of the page that has it. */
const press = async (browser: Browser, page: Page, action: string): Promise<Page> => {
  const forms = [...page.text.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([html]) => html)
  const [form] = formsOf(forms.find((html) => html.includes(`value="${action}"`)) ?? '')
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
    const [browser, list] = await account()
    assert.deepEqual(seen(list), [
      ['Editor', 3],
      ['Other', 1],
    ])
    assert.match(list.text, /See, change and delete photos, see contacts<\/span>/)
    const newest = await openAccess(browser)
    assert.match(newest.text, /registered itself/)
    assert.match(newest.text, /<h2>3 installations have access<\/h2>/)
    assert.deepEqual(accessFormsOn(newest)[0]?.fields.permission, ['contacts:read'])
    const paths = accessPathsOn(newest)
    assert.equal(paths.length, 2)

    const narrowed = await press(browser, await browser.go(paths[0] ?? ''), 'end')
    assert.match(narrowed.text, /This access of .*Editor.* has ended. It still has another one/)
    assert.deepEqual(seen(narrowed)[0], ['Editor', 2])
    const works = async () => [
      await use(service, first.token),
      await use(service, second.token),
      await use(service, third.token),
    ]
    assert.deepEqual(await works(), [200, 401, 403])

    const again = await install()
    const [later] = await account()
    const ended = await press(later, await openAccess(later), 'end-installations')
    assert.match(ended.text, /Editor<\/bdi> no longer has access/)
    assert.deepEqual(seen(ended), [['Other', 1]])
    assert.deepEqual([...(await works()), await use(service, again.token)], [401, 401, 401, 401])
  })

  it('end together where their line is selected in the list', async () => {
    const tokens = [
      await install({ client_name: 'Ticked' }),
      await install({ client_name: 'Ticked' }),
    ]
    const [browser, list] = await account()
    const form = formsOf(list.text).find(({ fields }) => 'csrf' in fields && !('shown' in fields))
    const [path = ''] = accessPathsOn(list)
    const fields = { csrf: form?.fields.csrf ?? [], access: [path.split('/').at(-1) ?? ''] }
    const told = await browser.go('/account', { ...fields, action: 'end-selected' })
    assert.match(told.text, /role="status">1 application no longer has access\./)
    assert.equal(
      seen(told).some(([name]) => name === 'Ticked'),
      false,
    )
    for (const { token } of tokens) assert.equal(await use(service, token), 401)
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
    const [browser] = await account()
    const page = await openAccess(browser)
    const [form] = accessFormsOn(page)
    assert.ok(form)
    const bob = new Browser(service)
    await bob.logIn(await bob.go('/login'), 'bob', 'builder')
    const [own] = formsOf((await bob.go('/account')).text).filter(({ fields }) => 'csrf' in fields)
    const { csrf = [], authorization = [] } = { ...form.fields, csrf: own?.fields.csrf ?? [] }
    for (const action of ['end-installations', 'end-selected']) {
      const fields = { csrf, authorization, access: authorization, action }
      assert.equal((await bob.ask('/account', fields)).status, 303)
    }
    const after = await browser.go('/account')
    assert.deepEqual(seen(after)[0], ['Mine', 1])
    const ended = await browser.submitForm(page, form, { action: 'end-installations' })
    assert.equal(
      seen(ended).some(([of]) => of === 'Mine'),
      false,
    )
  })
})
