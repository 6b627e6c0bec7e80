/** An owner at a browser: logs in, allows, narrows, ends, logs out. */
import { accessFormsOn, accessPathsOn } from '../support/accesses.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { challenge } from '../support/gallery.ts'
import { authorizePath, callback } from '../support/printing.ts'
import type { Form, Init } from '../support/start.ts'
import { type Actor, type Claim, type Front, type Judge, NoAnswer } from './front.ts'
import type { Line } from './history.ts'
import { codeSays, type Holding } from './holdings.ts'
import type { Person, SimulatedClient } from './people.ts'

/** An owner and all passwords that may be in force, the likeliest first. */
export interface Known extends Person {
  readonly passwords: string[]
}

const asked = ['photos:read', 'photos:write', 'contacts:read', 'contacts:write'] as const

const one = (form: Form | undefined, name: string): string => String(form?.[name] ?? '')

const some = (form: Form | undefined, name: string): readonly string[] =>
  [form?.[name] ?? []].flat()

const redirectsTo =
  (path: string): Judge =>
  ({ status, headers }) =>
    status === 303 && new URL(headers.get('location') ?? '', 'http://a').pathname === path
      ? { result: 'yes' }
      : null

const logInJudge: Judge = ({ status, text }) => {
  if (status === 303) return { result: 'yes' }
  return text.includes('The username, email address or password is wrong') ? { result: 'no' } : null
}

export class Visitor {
  readonly #front: Front
  readonly #actor: Actor
  readonly #owner: Known
  readonly #browser: Browser
  #client = ''
  /** The operation that came last. */
  #last = 0
  /** Approvals that end with each login session; others may, after an attempt without an answer. */
  readonly #visits = new Map<string, string>()
  #mayHaveMore = false

  constructor(front: Front, actor: Actor, owner: Known) {
    this.#front = front
    this.#actor = actor
    this.#owner = owner
    const service = front.reachable(
      actor,
      (path, init) => this.#claims(path, init),
      ({ operations: [operation] }) => {
        this.#last = operation?.id ?? 0
      },
    )
    this.#browser = new Browser(service)
  }

  get #session(): string {
    const [found] = [...this.#browser.cookies].filter(([name]) => name.includes('session'))
    return found?.[1] ?? ''
  }

  #claims(path: string, { form }: Init): readonly Claim[] | undefined {
    if (form === undefined) return undefined
    const { pathname } = new URL(path)
    const owner = this.#owner.id
    if (pathname === '/login') {
      const password = one(form, 'password')
      return [{ deed: { kind: 'log in', owner, password }, judge: logInJudge }]
    }
    const permissions = some(form, 'permission')
    if (pathname === '/consent') {
      const client = this.#client
      const allowed = [...permissions, ...some(form, 'settled')]
      const deed = { kind: 'approve', client, owner, asked, allowed } as const
      return [{ deed, judge: () => ({ result: 'yes' }) }]
    }
    if (pathname === '/logout') {
      const judge = redirectsTo('/logout')
      return [{ deed: { kind: 'end session', session: this.#session }, judge }]
    }
    const authorization = one(form, 'authorization')
    if (one(form, 'action') === 'end' || permissions.length === 0) {
      const deed = { kind: 'end authorization', authorization } as const
      return [{ deed, judge: redirectsTo('/account') }]
    }
    const judge = redirectsTo(`/account/access/${authorization}`)
    return [{ deed: { kind: 'narrow', authorization, kept: permissions }, judge }]
  }

  /** Logs in if a page asks for it, with any password that may be in force. */
  async #logIn(page: Page): Promise<Page> {
    const { username, passwords } = this.#owner
    let shown = page
    for (const password of [...passwords, ...passwords]) {
      if (!shown.url.includes('/login') || formsOf(shown.text).length === 0) return shown
      if (shown.status === 429) await this.#front.scheduler.sleep(2000)
      shown = await this.#browser.logIn(shown, username, password)
    }
    return shown
  }

  /** A line for a client, or null where it came to nothing. */
  async obtain(client: SimulatedClient): Promise<Holding | null> {
    const { chance } = this.#actor
    this.#client = client.id
    const isVisit = chance.flip(0.2)
    const allowed = chance.flip(0.7) ? [...asked] : asked.filter(() => chance.flip(0.6))
    if (allowed.length === 0) allowed.push('photos:read')
    let consented = false
    try {
      const parameters = { response_type: 'code', client_id: client.id, redirect_uri: callback }
      const request = { ...parameters, ...challenge, scope: asked.join(' ') }
      let page = await this.#logIn(await this.#browser.go(authorizePath(request)))
      if (page.url.includes('/consent') && page.status === 200) {
        consented = true
        if (isVisit) this.#mayHaveMore = true
        const duration = isVisit ? 'session' : 'forever'
        const decision = 'allow'
        page = await this.#browser.submit(page, { decision, duration, permission: allowed })
      }
      if (page.status !== 302) return null
      const { code } = answerOf(page)
      return code === undefined ? null : this.#hold(code, client, consented ? isVisit : null)
    } catch (fault) {
      if (fault instanceof NoAnswer) return null
      throw fault
    }
  }

  /** @param isVisit null: the approval is an earlier one */
  #hold(code: string, client: SimulatedClient, isVisit: boolean | null): Holding {
    const { line: id, authorization, endsAt } = codeSays(code)
    if (isVisit) this.#visits.set(authorization, this.#session)
    const known = this.#visits.get(authorization)
    const maybe = isVisit === null && this.#mayHaveMore
    const visit =
      known === undefined
        ? maybe
          ? { session: this.#session, sure: false }
          : null
        : { session: known, sure: true }
    const owner = this.#owner.id
    const line: Line = { id, authorization, client: client.id, owner, visit, issue: this.#last }
    this.#front.lines.push(line)
    return { line, client, code, codeEnd: endsAt, access: [], refresh: [] }
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (fault) {
      if (!(fault instanceof NoAnswer)) throw fault
    }
  }

  /** Ends or narrows one of the approvals on the account page. */
  changeAccount(): Promise<void> {
    return this.#try(async () => {
      const { chance } = this.#actor
      const paths = accessPathsOn(await this.#logIn(await this.#browser.go('/account')))
      if (paths.length === 0) return
      const page = await this.#browser.go(chance.pick(paths))
      const [form] = accessFormsOn(page)
      if (form === undefined) return
      const kept = (form.fields.permission ?? []).filter(() => chance.flip(0.5))
      const action = chance.flip(0.5) ? 'end' : 'narrow'
      // Without the hidden field, exactly the ticked permissions are kept.
      await this.#browser.submitForm(page, form, { action, permission: kept, shown: [] })
    })
  }

  logOut(): Promise<void> {
    return this.#try(async () => {
      const page = await this.#browser.go('/logout')
      if (page.status === 200 && formsOf(page.text).length > 0) await this.#browser.submit(page)
    })
  }
}
