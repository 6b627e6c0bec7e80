/** A browser without a screen: keeps cookies, fills in the forms it finds, follows our own redirects. */
import type { Answer, Form, Started } from './start.ts'

export interface FoundForm {
  readonly action: string
  /** Every field with its value: hidden ones, text, ticked boxes, chosen radios. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

export interface Page extends Answer {
  readonly url: string
}

const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)
  return found === null ? null : unescaped(found[1] ?? '')
}

export const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The forms of a page, in order. */
export const formsOf = (html: string): readonly FoundForm[] =>
  [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', inside = '']) => {
    const fields: Record<string, string[]> = {}
    for (const [tag] of inside.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(tag, 'name')
      const type = attribute(tag, 'type') ?? 'text'
      const isChoice = type === 'checkbox' || type === 'radio'
      if (name === null || name === 'latchkey_reference' || /\sdisabled\b/.test(tag)) continue
      if (isChoice && !/\schecked\b/.test(tag)) continue
      fields[name] = [...(fields[name] ?? []), attribute(tag, 'value') ?? '']
    }
    for (const [tag, text = ''] of inside.matchAll(/<textarea\b[^>]*>([^<]*)<\/textarea>/g)) {
      fields[attribute(tag, 'name') ?? ''] = [unescaped(text)]
    }
    return { action: attribute(head, 'action') ?? '', fields }
  })

/** What a browser needs of a service: one in this process, or one behind a port. */
export type Reachable = Pick<Started, 'issuer' | 'ask' | 'post'>

export class Browser {
  readonly #started: Reachable
  readonly cookies = new Map<string, string>()

  constructor(started: Reachable) {
    this.#started = started
  }

  /** One request, no redirect followed. */
  async ask(
    path: string,
    form?: Form,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    const url = new URL(path, `${this.#started.issuer}/`).href
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#started.ask(url, {
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(form === undefined ? {} : { form }),
    })
    for (const header of answer.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      const equals = pair.indexOf('=')
      const value = pair.slice(equals + 1)
      if (value === '') this.cookies.delete(pair.slice(0, equals))
      else this.cookies.set(pair.slice(0, equals), value)
    }
    return { ...answer, url }
  }

  /** Follows redirects for as long as they stay with the service. */
  async go(path: string, form?: Form): Promise<Page> {
    let page = await this.ask(path, form)
    for (let hops = 0; hops < 10; hops++) {
      const location = page.headers.get('location')
      if (location === null) return page
      const next = new URL(location, page.url)
      if (next.origin !== new URL(this.#started.issuer).origin) return page
      page = await this.ask(next.href)
    }
    throw new Error('too many redirects')
  }

  /** Submits the first form of a page with its own fields, some of them changed. */
  submit(page: Page, changes: Form = {}): Promise<Page> {
    const [form] = formsOf(page.text)
    if (form === undefined) throw new Error(`no form on ${page.url}: ${page.status} ${page.text}`)
    return this.submitForm(page, form, changes)
  }

  submitForm(page: Page, form: FoundForm, changes: Form = {}): Promise<Page> {
    return this.go(new URL(form.action, page.url).href, { ...form.fields, ...changes })
  }

  logIn(page: Page, username: string, password: string): Promise<Page> {
    return this.submit(page, { username, password })
  }
}

/** The link of a refusal that its owner may take to the client. */
const linkOf = ({ text }: Answer): string | null =>
  /<a class="button" href="([a-z][a-z.+]*:[^"]*)">/.exec(text)?.[1]?.replaceAll('&amp;', '&') ??
  null

/**
 * Where a page sends the browser: the parameters of its `Location` or of its link, from query and
 * fragment.
 */
export const answerOf = (page: Answer): Readonly<Record<string, string>> => {
  const location = page.headers.get('location') ?? linkOf(page)
  if (location === null) throw new Error(`no redirect: ${page.status} ${page.text}`)
  const url = new URL(location)
  return Object.fromEntries([
    ...url.searchParams,
    ...new URLSearchParams(url.hash.replace(/^#/, '')),
  ])
}
