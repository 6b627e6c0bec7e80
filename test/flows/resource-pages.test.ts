/** A resource elsewhere, with further actions, on every page that an owner sees. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  answerOf,
  authorizePath,
  Browser,
  callback,
  codeRequest,
  formsOf,
  type Page,
} from '../support/browser.ts'
import { photoPrinter, type Started, start } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

let service: Started
let operator: Operator
before(async () => {
  service = await start()
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
    destructive: ['write', 'refund'],
    uri: 'https://orders.example/v1',
  })
  assert.equal(status, 201)
  const scope = 'photos orders orders:refund orders:export'
  assert.equal((await operator('PATCH', 'clients/photo-printer', { scope })).status, 200)
})
after(() => service.close())

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

/** The table of a page as rows of texts. */
const tableOf = ({ text }: Page): readonly (readonly string[])[] => {
  const [table = ''] = text.match(/<table role="table" class="permissions">.*?<\/table>/s) ?? []
  return [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<(th|td)\b.*?<\/\1>/gs)].map(([cell]) => wordsOf(cell)),
  )
}

const redeem = async (page: Page) => {
  const { code = '' } = answerOf(page)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await service.post('/token', form, photoPrinter)).body
}

test('consent shows the further actions that are asked, and marks the destructive ones', async () => {
  const { page } = await consentOf('photos:read orders orders:refund')
  assert.deepEqual(tableOf(page), [
    ['What', 'Read', 'Write', 'Further actions'],
    ['Photos 3 items', 'See your photos', 'Not asked for', 'None'],
    [
      'Orders at orders.example',
      'See your orders',
      'Place orders hard to undo',
      'Refund orders hard to undo',
    ],
  ])
  assert.doesNotMatch(wordsOf(page.text), /reach anything else:[^:]*Orders/)
})

test('consent speaks the language of the owner', async () => {
  const { page } = await consentOf('orders:read orders:export', 'zh-Hans')
  assert.deepEqual(tableOf(page), [
    ['内容', '读取', '写入', '其他操作'],
    ['订单 位于 orders.example', '查看订单', '未请求', '导出订单'],
  ])
})

test('the bare name asks for reading and writing, never for a further action', async () => {
  const { page } = await consentOf('orders')
  assert.deepEqual(tableOf(page), [
    ['What', 'Read', 'Write'],
    ['Orders at orders.example', 'See your orders', 'Place orders hard to undo'],
  ])
})

test('with a further action alone, nothing is said that may be wrong', async () => {
  const { page } = await consentOf('orders:refund')
  const words = wordsOf(page.text)
  assert.doesNotMatch(words, /(see|change) anything in:/)
  assert.match(words, /reach anything else: Photos, Contacts, Calendar/)
})

test('what is unticked is not given; the account shows, narrows and tells the rest', async () => {
  const { browser, page } = await consentOf('orders orders:refund orders:export')
  const ticked = ['orders:read', 'orders:write', 'orders:refund']
  const token = await redeem(await browser.submit(page, { permission: ticked, decision: 'allow' }))
  assert.equal(token.scope, 'orders:read orders:refund orders:write')
  const account = await browser.go('/account')
  assert.deepEqual(tableOf(account), [
    ['What', 'Read', 'Write', 'Further actions'],
    ['Orders', 'See your orders', 'Place orders hard to undo', 'Refund orders hard to undo'],
  ])
  const events = await browser.go('/account/events')
  assert.match(wordsOf(events.text), /Orders \(read, Refund orders, write\)/)
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
  assert.match(wordsOf(again.text), /also asked for orders/)
})
