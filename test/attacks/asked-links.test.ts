/** LG-09, LG-11: requests for links that are to reveal accounts, to flood a mailbox, or to mislead. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, test } from 'node:test'
import type { Page } from '../support/browser.ts'
import { checked } from '../support/hashes.ts'
import type { Answer } from '../support/start.ts'

// After the hashes are counted: a module keeps what it found when it was loaded.
const { operatorOf } = await import('../flows/operator.ts')
const { Browser, formsOf } = await import('../support/browser.ts')
const { enter } = await import('../support/authorization.ts')
const { mailsIn } = await import('../support/mailbox.ts')
const { newPerson } = await import('../support/people.ts')
const { startBefore } = await import('../support/start.ts')

const service = startBefore()
beforeEach(async () => {
  // The counters of the test before start anew.
  await service.advance(2 * 3600)
  checked.length = 0
})

/** The field of each page. */
const fieldOf = { forgot: 'username', signup: 'email' } as const

/** One request of somebody new, without what follows it. */
const ask = async (
  way: keyof typeof fieldOf,
  about: string,
  browser = new Browser(service),
): Promise<Answer> => {
  const page = await browser.go(`/${way}`)
  const [form] = formsOf(page.text)
  return browser.ask(`/${way}`, { ...form?.fields, [fieldOf[way]]: about })
}

const rows = (): Readonly<Record<string, number>> => {
  const database = new DatabaseSync(join(service.folder, 'latchkey.db'), { readOnly: true })
  try {
    const count = (sql: string) => Number(database.prepare(sql).get()?.found)
    return {
      attempts: count('select coalesce(sum(tries), 0) as found from attempts'),
      mails: count('select count(*) as found from mails'),
      events: count('select count(*) as found from events'),
      ceremonies: count('select count(*) as found from finished_ceremonies'),
    }
  } finally {
    database.close()
  }
}

/** One cookie has the typed name, and one the sealed id of the mail, whoever is meant. */
const withoutTyped = (text: string): string => text.replace(/(latchkey_(?:typed|sent))=[^;]*/, '$1')

const shapeOf = ({ status, headers, text }: Answer) => ({
  status,
  headers: [...headers].map(([name, value]) => [name, withoutTyped(value)]),
  text,
})

const cases = {
  forgot: [
    'alice',
    'ALICE@example.com',
    'nobody',
    'nobody@example.com',
    'x'.repeat(1000),
    'a\u202eb\u{1f600}',
    '',
  ],
  signup: ['alice@example.com', 'nobody@example.com'],
} as const

for (const way of ['forgot', 'signup'] as const) {
  test(`LG-09: /${way} answers alike, after the same work, whether or not there is an account`, async () => {
    const seen = []
    for (const about of cases[way]) {
      await service.advance(2 * 3600)
      checked.length = 0
      const before = rows()
      const answer = await ask(way, about)
      const after = rows()
      const work = Object.keys(after).map((name) => (after[name] ?? 0) - (before[name] ?? 0))
      assert.deepEqual(checked, [])
      const cookies = answer.headers.getSetCookie().map(withoutTyped)
      const page = await new Browser(service).go(answer.headers.get('location') ?? '')
      const text = page.text.replace(/name="csrf" value="[^"]*"/, '')
      seen.push({ ...shapeOf(answer), cookies, work, page: text })
    }
    const [first] = seen
    assert.deepEqual([first?.status, first?.work], [303, [2, 1, 0, 0]])
    for (const one of seen) assert.deepEqual(one, first)
  })

  test(`LG-06: /${way} lets everybody wait who asks too often, for a known name as for another`, async () => {
    const waits = []
    for (const about of [cases[way][0], 'unknown@example.com']) {
      await service.advance(2 * 3600)
      let answer = await ask(way, about)
      for (let i = 0; i < 6; i++) answer = await ask(way, about)
      waits.push([answer.status, answer.headers.get('retry-after')])
    }
    assert.deepEqual(waits, [
      [429, '1'],
      [429, '1'],
    ])
  })
}

describe('LG-06: a mailbox gets a bounded number of mails', () => {
  test('however its owner is named, and from however many browsers', async () => {
    const before = (await mailsIn(service)).length
    const names = ['alice', 'ALICE', 'alice@example.com', 'Alice@Example.com', 'aLiCe']
    for (let i = 0; i < 20; i++) {
      await ask('forgot', names[i % names.length] as string)
      await service.advance(20)
    }
    const first = (await mailsIn(service)).length - before
    assert.equal(first, 5)
    await service.advance(3600)
    await ask('forgot', 'alice')
    assert.equal((await mailsIn(service)).length - before, 6)
    const operator = await operatorOf(service)
    const { body } = await operator('GET', 'events?limit=100')
    const held = body.items.filter(({ type }: { type: string }) => type === 'mail.held_back')
    assert.ok(held.length > 0)
    const { text } = await service.ask('/metrics')
    assert.match(text, /latchkey_mails_total\{outcome="sent"\} [1-9]/)
    assert.match(text, /latchkey_mails_total\{outcome="held_back"\} [1-9]/)
    assert.match(text, /latchkey_mails_queued 0/)
  })
})

const password = 'another good password'

/** Asks for a link; answers the page after it, and the form that cancels it. */
const askOf = async (way: keyof typeof fieldOf, about: string) => {
  const browser = new Browser(service)
  const answer = await ask(way, about, browser)
  const page = await browser.go(answer.headers.get('location') ?? '')
  const form = formsOf(page.text).find(({ fields }) => 'sent' in fields)
  assert.ok(form, page.text)
  return { browser, page, form }
}

type Asked = Awaited<ReturnType<typeof askOf>>

const cancel = ({ browser, form }: Asked): Promise<Answer> =>
  browser.ask(form.action, { ...form.fields, action: 'cancel' })

for (const way of ['forgot', 'signup'] as const) {
  test(`LG-09: cancelling a mail of /${way} answers alike, after the same work, used or not`, async () => {
    const seen = []
    const { id, username, operator } = await newPerson(service)
    await operator('PATCH', `owners/${id}`, { email: `${way}-used@example.org` })
    for (const about of [...cases[way].filter((one) => one !== ''), 'used']) {
      await service.advance(2 * 3600)
      const name = { forgot: username, signup: 'used@example.net' }[way]
      const asked = await askOf(way, about === 'used' ? name : about)
      if (about === 'used') {
        const [mail] = await mailsIn(service)
        const reader = new Browser(service)
        await reader.submit(await reader.go(mail?.link ?? ''), { password })
      } else await mailsIn(service)
      const before = rows()
      const answer = await cancel(asked)
      const after = rows()
      const work = Object.keys(after).map((of) => (after[of] ?? 0) - (before[of] ?? 0))
      const location = (answer.headers.get('location') ?? '').replace(/tag=[\w-]+/, 'tag')
      const { text } = await asked.browser.go(answer.headers.get('location') ?? '')
      const page = text
        .replace(/name="(csrf|ceremony)" value="[^"]*"/g, '')
        .replace(/data-options="[^"]*"/, '')
      const cookies = answer.headers.getSetCookie()
      seen.push({
        status: answer.status,
        location,
        cookies,
        page,
        work: about === 'used' ? null : work,
      })
      if (seen.length > 1) assert.deepEqual({ ...seen.at(-1), work }, { ...seen[0], work })
    }
    assert.deepEqual([seen[0]?.status, seen[0]?.work], [303, [0, 0, 0, 3]])
    assert.match(seen[0]?.page ?? '', /Cancelled: a link in the mail works no longer/)
    for (const { work } of seen.slice(0, -1)) assert.deepEqual(work, [0, 0, 0, 3])
  })
}

describe('LG-13: a cancelled mail', () => {
  test('has links that work no longer, also those sent again; others live', async () => {
    const others = await askOf('signup', 'cancelled@example.net')
    await service.advance(1)
    const first = await askOf('signup', 'cancelled@example.net')
    const { browser, form } = first
    const answer = await browser.ask(form.action, form.fields)
    const page = await browser.go(answer.headers.get('location') ?? '')
    const [again, early, stranger] = await mailsIn(service)
    const opened = await new Browser(service).go(again?.link ?? '')
    assert.equal(opened.status, 200)
    const latest = formsOf(page.text).find(({ fields }) => 'sent' in fields)
    assert.ok(latest)
    // A thief of the page has another browser.
    const thief = new Browser(service)
    const own = formsOf((await thief.go('/signup')).text)[0]?.fields
    const stolen = { ...own, sent: latest.fields.sent ?? [], action: 'cancel' }
    assert.equal((await thief.ask('/signup', stolen)).status, 403)
    // The seal is of one purpose.
    const crossed = { ...latest.fields, action: 'cancel' }
    assert.equal((await browser.ask('/forgot', crossed)).status, 403)
    assert.equal((await new Browser(service).go(again?.link ?? '')).status, 200)
    assert.equal((await cancel({ ...first, form: latest })).status, 303)
    for (const mail of [again, early]) {
      assert.equal((await new Browser(service).go(mail?.link ?? '')).status, 410)
    }
    assert.equal((await new Browser(service).go(stranger?.link ?? '')).status, 200)
    assert.equal((await cancel(others)).status, 303)
    assert.equal((await new Browser(service).go(stranger?.link ?? '')).status, 410)
  })

  test('is the first of many sent again: a page cancels a bounded number', async () => {
    let { browser, page } = await askOf('signup', 'many@example.net')
    const [first] = await mailsIn(service)
    const links = []
    for (let i = 0; i < 8; i++) {
      await service.advance(1000)
      page = await browser.submit(page)
      links.push((await new Browser(service).go(first?.link ?? '')).status)
    }
    assert.deepEqual(links, [200, 200, 200, 200, 200, 200, 200, 410])
    const [latest] = (await mailsIn(service)).filter(({ to }) => to === 'many@example.net')
    assert.equal((await new Browser(service).go(latest?.link ?? '')).status, 200)
  })

  test('is not sent where it still waits', async () => {
    const before = (await mailsIn(service)).length
    const asked = await askOf('forgot', 'bob')
    assert.equal((await cancel(asked)).status, 303)
    assert.equal((await mailsIn(service)).length, before)
  })

  test('races with its link: an account is made, or the link is dead', async () => {
    const asked = await askOf('signup', 'race@example.net')
    const [mail] = await mailsIn(service)
    const browsers = Array.from({ length: 4 }, () => new Browser(service))
    const pages = await Promise.all(browsers.map((browser) => browser.go(mail?.link ?? '')))
    const [cancelled, ...used] = await Promise.all([
      cancel(asked),
      ...browsers.map((browser, i) => browser.submit(pages[i] as Page, { password })),
    ])
    assert.equal(cancelled?.status, 303)
    assert.ok(used.filter(({ status }) => status === 200).length <= 1)
    assert.equal((await new Browser(service).go(mail?.link ?? '')).status, 410)
  })
})

test('LG-06: a notice of another address comes, though strangers used up the mailbox', async () => {
  for (let i = 0; i < 8; i++) {
    await ask('forgot', 'bob')
    await service.advance(20)
  }
  const browser = await enter(service, 'bob', 'builder')
  const page = await browser.go('/account/email')
  const form = formsOf(page.text).findLast(({ action }) => action === '/account/email')
  assert.ok(form)
  await browser.submitForm(page, form, { email: 'thief@example.net', action: 'change' })
  const subjects = (await mailsIn(service)).map(({ to, subject }) => `${to}: ${subject}`)
  const notice = 'bob@example.com: Your email address at Latchkey may change'
  assert.equal(subjects.filter((subject) => subject === notice).length, 1)
})

test('LG-06: nobody keeps a link for a new password away by mails of another kind', async () => {
  for (let i = 0; i < 8; i++) {
    await ask('signup', 'bob@example.com')
    await service.advance(20)
  }
  await ask('forgot', 'bob')
  const told = (await mailsIn(service)).filter(({ to }) => to === 'bob@example.com')
  assert.equal(told[0]?.subject, 'Choose a new password for Latchkey')
})

test('LG-09: another address is asked for alike, whether or not somebody has it', async () => {
  const seen = []
  for (const email of ['alice@example.com', 'nobody@example.net', 'Bob@Example.com']) {
    await service.advance(2 * 3600)
    const browser = await enter(service, 'bob', 'builder')
    const page = await browser.go('/account/email')
    const form = formsOf(page.text).findLast(({ action }) => action === '/account/email')
    assert.ok(form)
    const before = rows()
    const answer = await browser.ask(form.action, { ...form.fields, email, action: 'change' })
    const after = rows()
    const work = Object.keys(after).map((name) => (after[name] ?? 0) - (before[name] ?? 0))
    const location = (answer.headers.get('location') ?? '').replace(/tag=[\w-]+/, 'tag')
    const done = await browser.go(answer.headers.get('location') ?? '')
    const [, notice = ''] = /class="notice"[^>]*>([^<]*)/.exec(done.text) ?? []
    seen.push({ status: answer.status, location, work, notice })
  }
  const [first] = seen
  assert.deepEqual([first?.status, first?.work], [303, [2, 2, 0, 0]])
  for (const one of seen) assert.deepEqual(one, first)
})

test('LG-11: another host name in the request builds no link', async () => {
  const browser = new Browser(service)
  const page = await browser.go('/forgot')
  const [form] = formsOf(page.text)
  const headers = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
  }
  await browser.ask('/forgot', { ...form?.fields, username: 'bob' }, headers)
  const [mail] = await mailsIn(service)
  assert.equal(mail?.to, 'bob@example.com')
  assert.ok(mail?.link.startsWith(`${service.issuer}/reset?`), mail?.link)
  assert.doesNotMatch(mail?.text ?? '', /evil/)
})

test('an unknown name gets no mail, and a typed address none but the stored one', async () => {
  const before = (await mailsIn(service)).length
  for (const about of ['nobody', 'bob@example.com.evil.example', 'bob@example.com\r\nBcc: e@e.e']) {
    await ask('forgot', about)
  }
  assert.equal((await mailsIn(service)).length, before)
})

test('a sign-up leads to no other site, whatever its URL says', async () => {
  const browser = new Browser(service)
  const evil =
    'next=https://evil.example&return_to=//evil.example&redirect_uri=https://evil.example'
  const asked = await browser.submit(await browser.go(`/signup?${evil}`), {
    email: 'redirected@example.com',
    next: 'https://evil.example',
  })
  const [mail] = await mailsIn(service)
  const form: Page = await browser.go(`${mail?.link}&${evil}`)
  const account = await browser.submit(form, {
    password: 'another good password',
    next: '//evil.example',
  })
  for (const { url } of [asked, account]) assert.equal(new URL(url).origin, service.issuer)
  assert.equal(new URL(account.url).pathname, '/account')
})

test('LG-13: of many who use one sign-up link at once, one makes the account', async () => {
  await ask('signup', 'raced@example.com')
  const [mail] = await mailsIn(service)
  const browsers = Array.from({ length: 6 }, () => new Browser(service))
  const pages = await Promise.all(browsers.map((browser) => browser.go(mail?.link ?? '')))
  const answers = await Promise.all(
    browsers.map((browser, i) =>
      browser.submit(pages[i] as Page, { password: `chosen password ${i}` }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410, 410, 410, 410, 410])
})

test('no link and no address reaches the log', () => {
  assert.doesNotMatch(JSON.stringify(service.notices), /lk_ln_|@example\.com/)
})
