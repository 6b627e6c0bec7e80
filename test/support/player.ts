/** A person at the playground, by HTTP, and the contents of its pages. */
import assert from 'node:assert/strict'
import { Browser, type FoundForm, formsOf, type Page } from './browser.ts'
import type { Form, Started } from './start.ts'

export const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** The messages of a page, as they were sent and received. */
export const messagesOf = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<section class="message[^>]*>[\s\S]*?<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(
    ([, inside = '']) => unescaped(inside.replaceAll(/<[^>]*>/g, '')),
  )

export const statusesOf = (page: Page): readonly number[] =>
  messagesOf(page).flatMap((message) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(message)?.[1]
    return status === undefined ? [] : [Number(status)]
  })

/** The JSON of the nth answer of a page, from 0. */
export const answered = (page: Page, at = 0): Record<string, unknown> => {
  const answers = messagesOf(page).filter((message) => message.startsWith('HTTP/1.1'))
  return JSON.parse(answers[at]?.split('\n\n')[1] ?? '{}')
}

/** The page's conclusion; none if the answer does not fit the step. */
export const isOther = ({ text }: Page): boolean =>
  text.includes('not the answer that the step is about')
export const meaningOf = ({ text }: Page): string =>
  /What it meant<\/h3><p>([^<]*)/.exec(text)?.[1] ?? ''

/** The checks of a JWT, by name, and whether each holds. */
export const checksOf = ({ text }: Page): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    [...text.matchAll(/<li class="(holds|fails)"><strong>[^<]*<\/strong> <code>(\w+)/g)].map(
      ([, result, name = '']) => [name, result === 'holds'],
    ),
  )

/** The explained fields under a heading, such as the claims of a JWT. */
export const fieldsUnder = (heading: string, { text }: Page): Readonly<Record<string, string>> => {
  const [, list = ''] = new RegExp(`<h3>${heading}</h3>\\s*<dl>([\\s\\S]*?)</dl>`).exec(text) ?? []
  return Object.fromEntries(
    [...list.matchAll(/<dt><code>([^<]*)<\/code><\/dt><dd><code>([^<]*)<\/code>/g)].map(
      ([, name = '', value = '']) => [name, unescaped(value)],
    ),
  )
}

/** What an owner, a client or a person keeps in items; it is no protocol. */
const own = ['id', 'title', 'taken', 'place', 'badge']

/** Fields of a page that nothing is said about. */
export const unexplained = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<dt><code>([^<]*)<\/code><\/dt><dd><code>[^<]*<\/code><\/dd>/g)]
    .map(([, name = '']) => name)
    .filter((name) => !own.includes(name))

/** The address of a step that sends the browser to the service. */
export const linkOf = ({ text }: Page): string => {
  const link =
    /class="button primary" href="([^"]*(?<!playground)\/(?:authorize|logout|device)\?[^"]*)"/
  const address = link.exec(text)?.[1]
  assert.ok(address, text)
  return unescaped(address)
}

export class Player {
  readonly browser: Browser

  constructor(service: Started) {
    this.browser = new Browser(service)
  }

  show(flow: string, step?: string): Promise<Page> {
    return this.browser.go(`/playground/${flow}${step === undefined ? '' : `?step=${step}`}`)
  }

  /** Presses the button of a step. */
  async press(flow: string, step: string, changes: Form = {}): Promise<Page> {
    const page = await this.show(flow, step)
    const form = formsOf(page.text).find(({ fields }) => fields.step?.[0] === step)
    assert.ok(form, `${flow} ${step} has no button: ${page.text}`)
    return this.browser.submitForm(page, form, changes)
  }

  async has(flow: string, step: string): Promise<FoundForm | undefined> {
    const page = await this.show(flow, step)
    if (page.text.includes('name="before"')) return undefined
    return formsOf(page.text).find(({ fields }) => fields.step?.[0] === step)
  }

  /** Follows the link of the first step, logs in and decides; ends where the browser ends. */
  async visit(flow: string, decision = 'allow', step?: string): Promise<Page> {
    const page = await this.show(flow, step)
    let at = await this.browser.go(linkOf(page))
    const isAt = (path: string) => new URL(at.url).pathname === path
    if (isAt('/login')) at = await this.browser.logIn(at, 'alice', 'wonderland')
    if (isAt('/resume')) at = await this.browser.submit(at, { decision: 'resume' })
    if (isAt('/consent')) at = await this.browser.submit(at, { decision })
    if (isAt('/logout')) at = await this.browser.submit(at, { decision: 'logout' })
    const [form] = formsOf(at.text)
    if (form?.action.endsWith('/callback')) at = await this.browser.submitForm(at, form)
    const location = at.headers.get('location')
    // The redirect URI is on the same host, so the walk only stops where it has another name.
    return location === null ? at : this.browser.go(location)
  }

  /** Presses the button of each step in turn. Every answer has to be the one that the step is about. */
  async play(flow: string, steps: readonly string[]): Promise<Page> {
    let page: Page | null = null
    for (const step of steps) {
      page = await this.press(flow, step)
      assert.deepEqual([step, page.status, isOther(page)], [step, 200, false], page.text)
      assert.ok(statusesOf(page).length > 0, step)
      assert.deepEqual([step, unexplained(page)], [step, []])
    }
    assert.ok(page)
    return page
  }

  /** Presses the button of a way to break it, which has to be answered as the page says. */
  async breakIt(flow: string, step: string): Promise<Page> {
    const page = await this.press(flow, step)
    assert.deepEqual([step, isOther(page), unexplained(page)], [step, false, []], page.text)
    assert.notEqual(meaningOf(page), '', page.text)
    return page
  }
}
