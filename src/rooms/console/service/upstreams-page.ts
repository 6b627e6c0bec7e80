/** Other services that log people in, and whether one works now. */
import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { consoleServiceWords } from './words.ts'

export interface ShownUpstream {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly address: string
  readonly trustEmail: boolean
  readonly signUp: boolean
}

type FaultWord = keyof ReturnType<typeof consoleServiceWords>['upstreams']['faults']

/** What a check found. `nothing`: there is no question to ask before a login. */
export type UpstreamCheck = { readonly id: string } & (
  | { readonly is: 'works' | 'nothing' }
  | { readonly is: 'fails'; readonly kind: FaultWord; readonly detail: string }
)

const renderCheck = (check: UpstreamCheck, title: string, given: ConsolePageGiven): Markup => {
  const words = consoleServiceWords(given.view.language).upstreams
  const who = named(title)
  if (check.is !== 'fails') {
    return html`<p class="notice" role="status">${words[check.is]({ title: who })}</p>`
  }
  const fault = html`${words.faults[check.kind]} (<code>${check.detail}</code>)`
  return html`<p class="notice problem" role="status">${words.fails({ title: who, fault })}</p>`
}

const renderOne = (
  upstream: ShownUpstream,
  check: UpstreamCheck | null,
  given: ConsolePageGiven,
): Markup => {
  const { view, csrf, role } = given
  const words = consoleServiceWords(view.language).upstreams
  const { id, title, type, address } = upstream
  const form = html`<form method="post" action="${pageUrl(view, '/admin/upstreams')}">${hidden('csrf', csrf)}${hidden('id', id)}<button type="submit">${words.check}</button></form>`
  return html`<section class="card"><h2>${named(title)}</h2>
<p class="quiet small"><code>${id}</code> · <code>${type}</code> · <code>${address}</code></p>
${upstream.trustEmail ? html`<p class="small">${words.trustEmail}</p>` : null}${upstream.signUp ? html`<p class="small">${words.signUp}</p>` : null}
${check?.id === id ? renderCheck(check, title, given) : null}${role === 'operator' ? form : null}</section>
`
}

export const renderUpstreams = (
  given: ConsolePageGiven,
  upstreams: readonly ShownUpstream[],
  check: UpstreamCheck | null,
): string => {
  const words = consoleServiceWords(given.view.language).upstreams
  return renderConsolePage(given, {
    part: 'upstreams',
    heading: words.heading,
    main:
      upstreams.length === 0
        ? html`<p class="card">${words.none}</p>`
        : html`${upstreams.map((one) => renderOne(one, check, given))}`,
  })
}
