/** `/admin/upstreams`: other services that log people in, and a check of one by its own guarded fetch. */
import { hashText } from '../../../crypto/digest.ts'
import type { Answer } from '../../../http/answer.ts'
import { pickText } from '../../../model/language.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderEmpty } from '../../../paper/pieces.ts'
import { renderAct, renderRow, renderRows } from '../../../paper/rows.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { RouteRow } from '../../../route.ts'
import { isLeading, type Upstream } from '../../../upstreams/index.ts'
import { UpstreamFault } from '../../../upstreams/upstream.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import type { Console, ConsoleNeeds, ConsoleVisit } from '../visit.ts'
import { consoleServiceWords } from './words.ts'

const path = '/admin/upstreams'

type FaultWord = keyof ReturnType<typeof consoleServiceWords>['upstreams']['faults']

/** What a check found. `nothing`: there is no question to ask before a login. */
type UpstreamCheck = { readonly id: string } & (
  | { readonly is: 'works' | 'nothing' }
  | { readonly is: 'fails'; readonly kind: FaultWord; readonly detail: string }
)

const renderCheck = (check: UpstreamCheck, title: string, given: ConsolePageGiven): Markup => {
  const words = consoleServiceWords(given.view.language).upstreams
  const who = sayName(title)
  if (check.is !== 'fails') {
    return html`<p class="notice" role="status">${words[check.is]({ title: who })}</p>`
  }
  const fault = html`${words.faults[check.kind]} (<code>${check.detail}</code>)`
  return html`<p class="notice problem" role="status">${words.fails({ title: who, fault })}</p>`
}

const getAddress = (settings: Upstream['settings']): string => {
  if (settings.type === 'ldap') return settings.url
  return settings.type === 'oidc' ? settings.issuer : settings.authorizationEndpoint
}

const renderOne = (
  { settings }: Pick<Upstream, 'settings'>,
  check: UpstreamCheck | null,
  given: ConsolePageGiven,
): Markup => {
  const { view, role } = given
  const words = consoleServiceWords(view.language).upstreams
  const { id, type, trustEmail, signUp } = settings
  const title = pickText(settings.title, view.language)
  const form = { ...given, path, fields: hide('id', id) } as const
  const rights = [trustEmail ? words.trustEmail : '', signUp ? words.signUp : '']
  return renderRow({
    title: sayName(title),
    says: html`<code>${id}</code> · <code>${type}</code> · <code>${getAddress(settings)}</code>`,
    end: role === 'operator' ? renderAct(form, words.check) : null,
    more: html`${rights.join(' ')}${check?.id === id ? renderCheck(check, title, given) : null}`,
  })
}

export const renderUpstreams = (
  given: ConsolePageGiven,
  upstreams: readonly Pick<Upstream, 'settings'>[],
  check: UpstreamCheck | null,
): string => {
  const words = consoleServiceWords(given.view.language).upstreams
  return renderConsolePage(given, {
    part: 'upstreams',
    heading: words.heading,
    main:
      upstreams.length === 0
        ? renderEmpty({ heading: words.none })
        : renderRows(upstreams.map((one) => renderOne(one, check, given))),
  })
}

/** Asks what a login would ask first: the metadata of a provider, or an entry of a directory. */
const check = async (upstream: Upstream, { at }: ConsoleVisit): Promise<UpstreamCheck> => {
  const { id, type } = upstream.settings
  if (type === 'oauth2') return { id, is: 'nothing' }
  const nobody = hashText('nobody')
  const trip = {
    redirectUri: 'https://check.invalid/',
    state: nobody,
    nonce: nobody,
    verifier: nobody,
    isFresh: false,
    begunAt: at,
    at,
  }
  const answer = isLeading(upstream)
    ? await upstream.open.begin(trip, { loginHint: '', locales: '' })
    : await upstream.open.find('latchkey-check')
  return answer instanceof UpstreamFault
    ? { id, is: 'fails', kind: answer.kind, detail: answer.detail }
    : { id, is: 'works' }
}

export const openUpstreams = ({ upstreams }: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const show = (visit: ConsoleVisit, checked: UpstreamCheck | null): Answer =>
    showPage(visit, renderUpstreams(visit.given, upstreams.list(), checked))
  const checkNamed = async (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const upstream = upstreams.find(form.find('id') ?? '')
    if (upstream === null) {
      throw new Refusal('not_found', 'unknown_upstream', 'there is no such log-in provider')
    }
    return show(visit, await check(upstream, visit))
  }
  return [
    entry.page(path, (visit) => show(visit, null)),
    entry.look(path, checkNamed, { least: 'operator' }),
  ]
}
