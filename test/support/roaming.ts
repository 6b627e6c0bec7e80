/** A browser that follows redirects between the service and its clients, with alice before it. */
import assert from 'node:assert/strict'
import { formsOf } from './browser.ts'
import { type Form, formBody } from './start.ts'

interface RoamingPage {
  readonly url: string
  readonly status: number
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

  const ask = (url: string, form: Form | null): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: new URL(url).origin }
    if (form === null) return fetch(url, { headers, redirect: 'manual' })
    const body = new URLSearchParams(formBody(form))
    return fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  }

  const visit = async (start: string, first: Form | null = null): Promise<RoamingPage> => {
    let url = start
    let form = first
    for (let hops = 0; hops < 20; hops++) {
      const answer = await ask(url, form)
      for (const header of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
        cookies.set(name, value)
      }
      const text = await answer.text()
      const location = answer.headers.get('location')
      if (location === null) return { url, status: answer.status, text }
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
