/** An owner at a browser: logs in, allows, narrows, ends, logs out. */
import { deviceCodePrefix } from '../../src/features/device/codes.ts'
import { hashDetail } from '../../src/rooms/account/accesses.ts'
import { parsePollCode } from '../../src/tokens/polled-request.ts'
import { accessFormsOn, accessPathsOn } from '../support/accesses.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { challenge } from '../support/gallery.ts'
import { authorizePath, callback } from '../support/printing.ts'
import type { Form, Init } from '../support/start.ts'
import { askedDetails, listActions } from './details.ts'
import { type Actor, type Claim, type Front, type Judge, NoAnswer } from './front.ts'
import type { Line, Operation } from './history.ts'
import { codeSays, type Holding } from './holdings.ts'
import type { Person, SimulatedClient } from './people.ts'
import { requestsOf } from './requests.ts'

/** An owner and all passwords that may be in force, the likeliest first. */
export interface Known extends Person {
  readonly passwords: string[]
}

export const asked = ['photos:read', 'photos:write', 'contacts:read', 'contacts:write'] as const

/** The value of the box of a detail on the account page. */
const boxes = new Map(askedDetails.map((detail) => [hashDetail(detail), detail]))

const one = (form: Form | undefined, name: string): string => String(form?.[name] ?? '')

const some = (form: Form | undefined, name: string): readonly string[] =>
  [form?.[name] ?? []].flat()

export const redirectsTo =
  (path: string): Judge =>
  ({ status, headers }) =>
    status === 303 && new URL(headers.get('location') ?? '', 'http://a').pathname === path
      ? { result: 'yes' }
      : null

const bringsCode: Judge = ({ status, headers }) =>
  status === 302 && (headers.get('location') ?? '').includes('code=') ? { result: 'yes' } : null

const connects: Judge = ({ text }) =>
  text.includes('Your device goes on') ? { result: 'yes' } : null

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
  /** The pushed request that the browser goes with. */
  #pushed: string | null = null
  /** The parameters about a grant, of a client that manages it. */
  #grant: Readonly<Record<string, string>> = {}
  /** The line of the device that the browser approves. */
  #device: string | null = null
  /** The claims of a visit for something else. */
  #also: ((pathname: string, form: Form) => readonly Claim[]) | null = null
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
    const { pathname } = new URL(path)
    if (pathname === '/device') {
      if (form !== undefined || this.#device === null) return undefined
      return [{ deed: { kind: 'connect', line: this.#device }, judge: connects }]
    }
    const changed = this.#grant.grant_id
    if (form === undefined && changed !== undefined && pathname === '/authorize') {
      return [{ deed: { kind: 'change grant', authorization: changed }, judge: bringsCode }]
    }
    if (form === undefined) {
      if (this.#pushed === null || pathname !== '/authorize') return undefined
      return [{ deed: { kind: 'spend', id: this.#pushed }, judge: bringsCode }]
    }
    const owner = this.#owner.id
    if (pathname === '/login') {
      const password = one(form, 'password')
      return [{ deed: { kind: 'log in', owner, password }, judge: logInJudge }]
    }
    if (this.#also !== null) return this.#also(pathname, form)
    const permissions = some(form, 'permission')
    if (pathname === '/consent') {
      const client = this.#client
      const isDetailed = this.#pushed !== null
      const places = some(form, 'detail')
      const details = askedDetails.filter((_, place) => places.includes(String(place)))
      const ticked = new Set([...permissions, ...some(form, 'settled')])
      const allowed = [...ticked, ...listActions(details)]
      const all = isDetailed ? [...asked, ...listActions(askedDetails)] : asked
      const deed = { kind: 'approve', client, owner, asked: all, allowed } as const
      const approval: Claim = { deed, judge: () => ({ result: 'yes' }) }
      if (changed === undefined) return [approval]
      // Where the grant has changed meanwhile, the owner is asked again.
      const change = { kind: 'change grant', authorization: changed } as const
      return [approval, { deed: change, judge: () => ({ result: 'unknown' }) }]
    }
    if (pathname === '/logout') {
      const judge = redirectsTo('/logout')
      return [{ deed: { kind: 'end session', session: this.#session }, judge }]
    }
    const authorization = one(form, 'authorization')
    const details = some(form, 'detail').flatMap((box) => boxes.get(box) ?? [])
    const kept = [...permissions, ...listActions(details)]
    if (one(form, 'action') === 'end' || kept.length === 0) {
      const deed = { kind: 'end authorization', authorization } as const
      return [{ deed, judge: redirectsTo('/account') }]
    }
    const judge = redirectsTo(`/account/access/${authorization}`)
    return [{ deed: { kind: 'narrow', authorization, kept }, judge }]
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

  /** The way to `/authorize`; null where the client could not push its request. */
  async #request(client: SimulatedClient): Promise<string | null> {
    const parameters = { response_type: 'code', client_id: client.id, redirect_uri: callback }
    const request = { ...parameters, ...challenge, ...this.#grant, scope: asked.join(' ') }
    this.#pushed = null
    if (client.secret !== null) return authorizePath(request)
    const form = { ...request, authorization_details: JSON.stringify(askedDetails) }
    const { answer } = await requestsOf(this.#front, this.#actor).push(client, form)
    if (answer?.status !== 201) return null
    this.#pushed = `pushed request ${this.#front.signed++}`
    return authorizePath({ client_id: client.id, request_uri: answer.body.request_uri })
  }

  /** Goes there. A pushed request may be opened in two tabs at once. */
  async #open(path: string): Promise<Page> {
    const isTwice = this.#pushed !== null && this.#actor.chance.flip(0.3)
    if (!isTwice) return this.#browser.go(path)
    const tabs = await Promise.allSettled([this.#browser.go(path), this.#browser.go(path)])
    const pages = tabs.flatMap((tab) => (tab.status === 'fulfilled' ? [tab.value] : []))
    const page = pages.find(({ status }) => status === 302) ?? pages[0]
    if (page === undefined) throw new NoAnswer()
    return page
  }

  /** A line for a client, or null where it came to nothing. */
  async obtain(
    client: SimulatedClient,
    grant: Readonly<Record<string, string>> = {},
  ): Promise<Holding | null> {
    const { chance } = this.#actor
    this.#client = client.id
    this.#grant = grant
    const isManaged = Object.keys(grant).length > 0
    const isVisit = !isManaged && chance.flip(0.2)
    const allowed = chance.flip(0.7) ? [...asked] : asked.filter(() => chance.flip(0.6))
    if (allowed.length === 0) allowed.push('photos:read')
    let consented = false
    try {
      const path = await this.#request(client)
      if (path === null) return null
      let page = await this.#logIn(await this.#open(path))
      if (page.url.includes('/consent') && page.status === 200) {
        consented = true
        if (isVisit) this.#mayHaveMore = true
        const duration = isVisit ? 'session' : 'forever'
        const decision = 'allow'
        const boxes = formsOf(page.text)[0]?.fields.detail ?? []
        const detail = boxes.filter(() => chance.flip(0.8))
        page = await this.#browser.submit(page, { decision, duration, permission: allowed, detail })
      }
      if (page.status !== 302) return null
      const { code } = answerOf(page)
      if (code === undefined) return null
      const holding = this.#hold(code, client, consented ? isVisit : null)
      // The way back in the browser, or a stranger with the address.
      if (this.#pushed !== null && chance.flip(0.4)) await this.#try(() => this.#browser.go(path))
      return holding
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
    const issue = this.#findIssue()
    const line: Line = { id, authorization, client: client.id, owner, visit, issue }
    this.#front.lines.push(line)
    const actions = this.#pushed === null ? [] : listActions(askedDetails)
    const wanted = [...asked, ...actions]
    return { line, client, code, codeEnd: endsAt, asked: wanted, access: [], refresh: [] }
  }

  /** The operation that brought the code. A second tab may have come later. */
  #findIssue(): number {
    if (this.#pushed === null) return this.#last
    const isIssue = ({ deed, result }: Operation): boolean =>
      deed.kind === 'spend' && deed.id === this.#pushed && result === 'yes'
    return this.#front.operations.find(isIssue)?.id ?? this.#last
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (fault) {
      if (!(fault instanceof NoAnswer)) throw fault
    }
  }

  /** Ends or narrows one of the approvals on the account page, or takes back only what was asked for in detail. */
  changeAccount({ onlyDetails = false } = {}): Promise<void> {
    return this.#try(async () => {
      const { chance } = this.#actor
      const list = await this.#logIn(await this.#browser.go('/account'))
      const text = list.text.replace(/<ul class="branches">[\s\S]*?<\/ul>/g, '')
      const paths = accessPathsOn({ text })
      if (paths.length === 0) return
      const page = await this.#browser.go(chance.pick(paths))
      const [form] = accessFormsOn(page)
      // Nobody could say what ends by it.
      if (form === undefined || /Screen|Checkout|Notebook/.test(page.text)) return
      const kept = (form.fields.permission ?? []).filter(() => onlyDetails || chance.flip(0.5))
      const detail = (form.fields.detail ?? []).filter(() => chance.flip(0.5))
      const action = !onlyDetails && chance.flip(0.5) ? 'end' : 'narrow'
      // Without the hidden field, exactly the ticked permissions are kept.
      await this.#browser.submitForm(page, form, {
        action,
        permission: kept,
        detail,
        shown: [],
        'shown-details': [],
      })
    })
  }

  /** A page without a form is an error page, and stays. */
  async #submit(page: Page, path: string, changes: Form): Promise<Page> {
    const isThere = new URL(page.url).pathname === path && formsOf(page.text).length > 0
    return isThere ? this.#browser.submit(page, changes) : page
  }

  /** The holding of a device, before anybody has approved it; null where there are no codes. */
  async askDevice(client: SimulatedClient) {
    const requests = requestsOf(this.#front, this.#actor)
    const form = { scope: asked.join(' ') }
    const { answer } = await requests.ask('/device_authorization', client, form)
    if (answer?.status !== 200) return null
    const { device_code: code, user_code: userCode } = answer.body
    const id = String(parsePollCode(deviceCodePrefix, code)?.id)
    const of = { client: client.id, owner: this.#owner.id, visit: null }
    const line: Line = { id, authorization: '', ...of, issue: this.#last }
    this.#front.lines.push(line)
    const held = { access: [], refresh: [] }
    const holding: Holding = { line, client, code, codeEnd: null, asked, ...held }
    return { holding, userCode: String(userCode) }
  }

  /** Types the code of a device, and allows what it asks for. */
  connect({ line, client }: Holding, userCode: string): Promise<void> {
    return this.#try(async () => {
      this.#client = client.id
      this.#pushed = null
      this.#device = line.id
      const first = await this.#browser.go('/device')
      const typed = await this.#submit(first, '/device', { user_code: userCode })
      const shown = await this.#logIn(typed)
      const begun = await this.#submit(shown, '/device', { decision: 'continue' })
      const allowed = { decision: 'allow', duration: 'forever', permission: asked }
      await this.#submit(begun, '/consent', allowed)
    }).finally(() => {
      const isApproval = ({ deed }: Operation): boolean =>
        deed.kind === 'connect' && deed.line === line.id
      line.issue = this.#front.operations.find(isApproval)?.id ?? this.#last
      this.#device = null
    })
  }

  /** Opens a page of the account, and does something there. */
  visit(
    path: string,
    claimsOf: (pathname: string, form: Form) => readonly Claim[],
    work: (page: Page, browser: Browser) => Promise<unknown>,
  ): Promise<void> {
    return this.#try(async () => {
      this.#also = claimsOf
      await work(await this.#logIn(await this.#browser.go(path)), this.#browser)
    }).finally(() => {
      this.#also = null
    })
  }

  logOut(): Promise<void> {
    return this.#try(async () => {
      const page = await this.#browser.go('/logout')
      if (page.status === 200 && formsOf(page.text).length > 0) await this.#browser.submit(page)
    })
  }
}
