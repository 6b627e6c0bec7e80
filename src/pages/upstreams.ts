/** Other services that log people in: buttons, links, and the page for newcomers. */
import type { UpstreamLink } from '../model/upstream.ts'
import { hidden, named } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { moment } from './time.ts'
import { pageUrl, type View } from './view.ts'
import { upstreamWords } from './words/upstreams.ts'

export interface UpstreamButton {
  readonly id: string
  readonly title: string
}

/** @param fields of each form: the CSRF token, and what waits for the login */
export const renderUpstreamButtons = (
  view: View,
  upstreams: readonly UpstreamButton[],
  fields: Markup,
): Markup | null =>
  upstreams.length === 0
    ? null
    : html`${upstreams.map(
        ({ id, title }) => html`<form method="post" action="${pageUrl(view, `/login/with/${id}`)}">
${fields}
<p class="actions"><button type="submit">${upstreamWords[view.language].logIn({ title })}</button></p>
</form>`,
      )}`

export interface NewcomerPage {
  readonly view: View
  readonly upstream: UpstreamButton
  /** The name or address of the person there; '' for none. */
  readonly label: string
  /** The fields of the form for a new account; null where nobody may make one. */
  readonly form: Markup | null
  /** The login page, with what waits for the login. */
  readonly back: string
}

export const renderNewcomer = ({ view, upstream, label, form, back }: NewcomerPage): string => {
  const words = upstreamWords[view.language]
  const title = named(upstream.title)
  const create =
    form === null
      ? html`<p>${words.closed}</p>`
      : html`<p>${words.makeNew({ label: label === '' ? title : named(label) })}</p>
<form method="post" action="${pageUrl(view, `/login/with/${upstream.id}/new`)}">
${form}
<p class="actions"><button class="primary" type="submit">${words.create}</button></p>
</form>`
  return renderLayout({
    view,
    title: words.newHeading,
    main: html`<h1>${words.newHeading}</h1>
<p>${words.newIntro({ title })}</p>
<p>${words.haveAccount} <a href="${back}">${words.back}</a></p>
${create}`,
  })
}

export interface UpstreamSection {
  readonly view: View
  readonly csrf: string
  readonly upstreams: readonly UpstreamButton[]
  readonly links: readonly UpstreamLink[]
  /** Whether the owner may change something just now. */
  readonly isOpen: boolean
}

const change = (
  { view, csrf, isOpen }: UpstreamSection,
  action: 'link' | 'unlink',
  id: string,
  button: string,
): Markup | null =>
  isOpen
    ? html`<form method="post" action="${pageUrl(view, '/account/upstreams')}">
${hidden('csrf', csrf)}${hidden('action', action)}${hidden('upstream', id)}
<p class="actions"><button${action === 'unlink' ? html` class="danger"` : null} type="submit">${button}</button></p>
</form>`
    : null

const linked = (link: UpstreamLink, section: UpstreamSection): Markup => {
  const { language } = section.view
  const words = upstreamWords[language]
  const known = section.upstreams.find(({ id }) => id === link.upstream)
  const title = known?.title ?? link.upstream
  const when = moment(link.createdAt, language)
  return html`<h3>${named(title)}</h3>
<p>${words.linked({ label: named(link.label || title), when })}</p>
${known === undefined ? html`<p class="quiet">${words.gone}</p>` : null}
${change(section, 'unlink', link.upstream, words.unlink({ title }))}`
}

/** The part of the security page; nothing where there is no upstream. */
export const renderUpstreamSection = (section: UpstreamSection): Markup | null => {
  const { upstreams, links, view } = section
  if (upstreams.length + links.length === 0) return null
  const words = upstreamWords[view.language]
  const others = upstreams.filter(({ id }) => !links.some(({ upstream }) => upstream === id))
  return html`<section class="card">
<h2>${words.heading}</h2>
<p>${words.intro}</p>
${links.map((link) => linked(link, section))}
${others.map(({ id, title }) => html`${change(section, 'link', id, words.link({ title }))}`)}
</section>`
}
