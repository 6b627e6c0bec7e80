/** A browser that follows redirects between the service and its clients, with alice before it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { formsOf } from './browser.ts'
import { type Form, formBody } from './start.ts'

interface RoamingPage {
  readonly url: string
  readonly status: number
  readonly text: string
}

interface Came {
  readonly status: number
  readonly location: string | null
  readonly text: string
}

export interface Roaming {
  readonly cookies: ReadonlyMap<string, string>
  visit(url: string, form?: Form | null): Promise<RoamingPage>
  /** Submits the first form of a page with its own fields, some of them changed. */
  submit(page: RoamingPage, changes: Form): Promise<RoamingPage>
  /** Goes on from the login page until the client has its answer. Alice allows everything. */
  approve(page: RoamingPage): Promise<RoamingPage>
}

export const openBrowser = (): Roaming => {
  // As in any browser, cookies belong to a host, whatever its port.
  const cookies = new Map<string, string>()

  // Not by `fetch`: it says that a script asks, and Apache then answers 401.
  const ask = async (url: string, form: Form | null): Promise<Came> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = form === null ? '' : formBody(form)
    const headers = {
      cookie,
      accept: 'text/html,*/*;q=0.8',
      ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(form === null ? {} : { origin: new URL(url).origin, 'content-length': body.length }),
    }
    const asked = request(url, { method: form === null ? 'GET' : 'POST', headers }).end(body)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    for (const header of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      cookies.set(name, value)
    }
    const { statusCode: status = 0, headers: came } = answer
    return { status, location: came.location ?? null, text: await textOf(answer) }
  }

  const visit = async (start: string, first: Form | null = null): Promise<RoamingPage> => {
    let url = start
    let form = first
    for (let hops = 0; hops < 20; hops++) {
      const { status, location, text } = await ask(url, form)
      if (location === null) return { url, status, text }
      url = new URL(location, url).href
      form = null
    }
    throw new Error(`${start} redirects without an end`)
  }

  const submit = (page: RoamingPage, changes: Form): Promise<RoamingPage> => {
    const [form] = formsOf(page.text)
    assert.ok(form, `no form on ${page.url}: ${page.text}`)
    return visit(new URL(form.action, page.url).href, { ...form.fields, ...changes })
  }

  return {
    cookies,
    submit,
    visit,
    async approve(page) {
      assert.match(page.url, /\/login/)
      const next = await submit(page, { username: 'alice', password: 'wonderland' })
      // The service remembers what alice allowed a confidential client before.
      return next.url.includes('/consent') ? submit(next, { decision: 'allow' }) : next
    },
  }
}
