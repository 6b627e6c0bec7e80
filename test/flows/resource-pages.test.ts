/** A resource elsewhere, with further actions, on every page that an owner sees. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  const { status } = await operator('POST', 'resources', {
    name: 'orders',
    title: { en: 'Orders', zh: '订单' },
    read: { en: 'See your orders', zh: '查看订单' },
    write: { en: 'Place orders', zh: '下订单' },
    actions: {
      refund: { en: 'Refund orders', zh: '退款' },
      export: { en: 'Export orders', zh: '导出订单' },
    },
    destructive: ['write', 'refund:spend'],
    uri: 'https://orders.example/v1',
  })
  assert.equal(status, 201)
  const scope = 'photos orders orders:refund orders:export'
  assert.equal((await operator('PATCH', 'clients/photo-printer', { scope })).status, 200)
})

const consentOf = async (scope: string, locale = 'en') => {
  const browser = new Browser(service)
  const path = authorizePath({ ...codeRequest, scope, ui_locales: locale })
  const page = await browser.logIn(await browser.go(path), 'alice', 'wonderland')
  return { browser, page }
}

/** The words of an element, without its markup. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The permissions on a page, a line each. */
const linesOf = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<li><label.*?<\/li>|<li class="destroys">.*?<\/li>/gs)].map(([line]) =>
    wordsOf(line),
  )

const redeem = async (page: Page) => {
  const { code = '' } = answerOf(page)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await service.post('/token', form, photoPrinter)).body
}

test('consent shows the further actions that are asked, and marks the destructive ones', async () => {
  const { page } = await consentOf('photos:read orders orders:refund')
  assert.deepEqual(linesOf(page), [
    'See your photos 3 items',
    'See your orders at orders.example',
    'Place orders Hard to undo',
    'Refund orders Can spend',
  ])
})

test('consent speaks the language of the owner', async () => {
  const { page } = await consentOf('orders:read orders:export', 'zh-Hans')
  assert.deepEqual(linesOf(page), ['查看 订单 位于 orders.example', '导出 订单'])
})

test('the bare name asks for reading and writing, never for a further action', async () => {
  const { page } = await consentOf('orders')
  assert.deepEqual(linesOf(page), [
    'See your orders at orders.example',
    'Place orders Hard to undo',
  ])
})

test('with a further action alone, the heading says no more than what is sure', async () => {
  const { page } = await consentOf('orders:refund')
  assert.match(wordsOf(page.text), /Photo Printer wants to use your orders/)
})

test('what is unticked is not given; the account shows, narrows and tells the rest', async () => {
  const { browser, page } = await consentOf('orders orders:refund orders:export')
  const ticked = ['orders:read', 'orders:write', 'orders:refund']
  const token = await redeem(await browser.submit(page, { permission: ticked, decision: 'allow' }))
  assert.equal(token.scope, 'orders:read orders:refund orders:write')
  const list = await browser.go('/account')
  const [, path = ''] = /href="(\/account\/access\/[^"]+)"/.exec(list.text) ?? []
  const account = await browser.go(path)
  assert.deepEqual(linesOf(account), [
    'See your orders',
    'Place orders Hard to undo',
    'Refund orders Hard to undo',
  ])
  const events = await browser.go('/account/events')
  assert.match(wordsOf(events.text), /Orders \(see, Refund orders, change\)/)
  const form = formsOf(account.text).find(({ fields }) => fields.shown !== undefined)
  assert.ok(form)
  assert.deepEqual(form.fields.shown, ['orders:read orders:write orders:refund'])
  const narrowed = { permission: ['orders:read'], action: 'narrow' }
  await browser.submitForm(account, form, narrowed)
  assert.equal((await introspect(service, token.access_token)).scope, 'orders:read')
})

test('a deleted resource is on no page any more', async () => {
  const { browser, page } = await consentOf('photos:read orders:read')
  await redeem(await browser.submit(page, { decision: 'allow' }))
  assert.equal((await operator('DELETE', 'resources/orders')).status, 204)
  const account = await browser.go('/account')
  assert.doesNotMatch(account.text, /See your orders/)
  const { page: again } = await consentOf('photos orders')
  assert.doesNotMatch(wordsOf(again.text), /See your orders/)
  assert.match(wordsOf(again.text), /Asked, not given orders/)
})
