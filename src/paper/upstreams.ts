/** Other services that log people in: buttons, links, and the page for newcomers. */

import type { UpstreamSettings } from '../config/upstreams.ts'
import type { UpstreamLink } from '../model/factor.ts'
import { allowMarkup, defineWords } from './catalog.ts'
import { hide, type PageWithForm, renderForm, renderSubmit, sayName } from './fields.ts'
import type { IconName } from './icon.ts'
import { renderTitled } from './layout.ts'
import { type Content, html, type Markup } from './markup.ts'
import { renderAct, renderAsked, renderGo, renderRow } from './rows.ts'
import { renderTile } from './tile.ts'
import { sayWhen } from './time.ts'

export const upstreamWords = defineWords('upstreams', {
  logIn: 'Log in with {title}',
  newHeading: 'You are new here',
  newIntro: allowMarkup('Nobody here is linked to your account at {title} yet.'),
  haveAccount:
    'Do you have an account here already? Log in to it another way. Then link the two on its Security page.',
  makeNew: allowMarkup('Otherwise make a new account: {label} will log you in to it.'),
  create: 'Make a new account',
  closed: 'New accounts are made only by whoever runs this service. Ask them if you have none.',
  byOperator: 'Whoever runs this service links accounts at {title}. Ask them to link yours.',
  back: 'Log in another way',
  since: allowMarkup('Linked {when}'),
  labelled: allowMarkup('{label}, linked {when}'),
  notLinked: 'Not linked',
  link: 'Link {title}',
  offer: 'Link',
  remove: 'Unlink',
  unlink: 'Unlink {title}',
  unlinkEffect: 'Your account at {title} no longer logs you in here.',
  directoryUsername: 'Username at {title}',
  directoryPassword: 'Password at {title}',
  confirm: 'Confirm with {title}',
  linkSubmit: 'Link the account',
  linkBack: 'Back to Security',
  check: 'Check this',
  earlier: 'Linked before your present password. Keep it if it is yours, else unlink it.',
  gone: 'This service is no longer offered here.',
})

export interface UpstreamButton {
  readonly id: string
  readonly title: string
  /** The drawing of a well-known one; null for the first letter of its title. */
  readonly mark?: IconName | null
  /** Operators alone link its accounts, and unlink them. */
  readonly byOperator?: boolean
}

/** By the host of the issuer, or of the login page of a provider without one. */
const marks: Readonly<Record<string, IconName>> = {
  'accounts.google.com': 'search',
  'appleid.apple.com': 'fruit',
  'github.com': 'branch',
  'gitlab.com': 'loop',
  'login.microsoftonline.com': 'panes',
}

export const findMark = (settings: UpstreamSettings): IconName | null => {
  if (settings.type === 'ldap') return 'tree'
  const url = settings.type === 'oidc' ? settings.issuer : settings.authorizationEndpoint
  const { hostname } = new URL(url)
  return Object.hasOwn(marks, hostname) ? (marks[hostname] ?? null) : null
}

/**
 * @param waiting fields of each form: what waits for the login
 * @param note stands behind the text of a button
 */
export const renderUpstreamButtons = (
  page: PageWithForm,
  upstreams: readonly UpstreamButton[],
  waiting: Markup,
  note: (id: string) => Content,
): readonly Markup[] =>
  upstreams.map(({ id, title, mark: icon = null }) => {
    const text = upstreamWords(page.view.language).logIn({ title })
    const button = html`<button type="submit">${renderTile(title, null, { size: 'little', icon })}${text}${note(id)}</button>`
    return renderForm(page, `/login/with/${id}`, [waiting, button])
  })

export interface NewcomerPage extends PageWithForm {
  readonly upstream: UpstreamButton
  /** The name or address of the person there; '' for none. */
  readonly label: string
  /** The fields of the form for a new account; null where nobody may make one. */
  readonly form: Markup | null
  /** The login page, with what waits for the login. */
  readonly back: string
}

export const renderNewcomer = (page: NewcomerPage): string => {
  const { view, upstream, label, form, back } = page
  const words = upstreamWords(view.language)
  const title = sayName(upstream.title)
  if (upstream.byOperator) {
    return renderTitled(
      view,
      words.newHeading,
      html`<p>${words.newIntro({ title })}</p>
<p>${words.byOperator({ title: upstream.title })} <a href="${back}">${words.back}</a></p>`,
    )
  }
  const create =
    form === null
      ? html`<p>${words.closed}</p>`
      : html`<p>${words.makeNew({ label: label === '' ? title : sayName(label) })}</p>
${renderForm(page, `/login/with/${upstream.id}/new`, [form, renderSubmit(words.create)])}`
  return renderTitled(
    view,
    words.newHeading,
    html`<p>${words.newIntro({ title })}</p>
<p>${words.haveAccount} <a href="${back}">${words.back}</a></p>
${create}`,
  )
}

export interface UpstreamSection extends PageWithForm {
  readonly upstreams: readonly UpstreamButton[]
  readonly links: readonly UpstreamLink[]
  /** Links from before the present password. */
  readonly earlier?: readonly UpstreamLink[]
  /** Whether the owner may change something just now. */
  readonly isOpen: boolean
}

const makeForm = ({ view, csrf }: UpstreamSection, action: 'link' | 'unlink', id: string) => ({
  view,
  csrf,
  path: '/account/upstreams' as const,
  fields: html`${hide('action', action)}${hide('upstream', id)}`,
})

/** Without a recent proof, each button leads to the page for it. */
const renderFirst = ({ view }: UpstreamSection, text: Content): Markup =>
  renderGo(view, '/account/confirm', text)

const renderLinked = (link: UpstreamLink, section: UpstreamSection): Markup => {
  const { view, isOpen } = section
  const words = upstreamWords(view.language)
  const known = section.upstreams.find(({ id }) => id === link.upstream)
  const title = known?.title ?? link.upstream
  const isOld = section.earlier?.includes(link) ?? false
  const button = html`${words.remove}<span class="unseen"> ${sayName(title)}</span>`
  const effect = words.unlinkEffect({ title })
  const asked = { button, effect, confirm: words.unlink({ title }), look: 'in list' } as const
  const when = sayWhen(link.createdAt, view.at, view)
  const { label } = link
  const said =
    label === '' ? words.since({ when }) : words.labelled({ label: sayName(label), when })
  const more = [known === undefined ? words.gone : null, isOld ? words.earlier : null]
  const told = more.filter((one) => one !== null)
  return renderRow({
    mark: renderTile(title, null, { icon: known?.mark ?? null }),
    title: html`${sayName(title)}${isOld ? html` <span class="tag warn">${words.check}</span>` : null}`,
    says: said,
    more: told.length === 0 ? null : told.map((one) => html`<p class="says">${one}</p>`),
    end: known?.byOperator
      ? null
      : isOpen
        ? renderAsked(makeForm(section, 'unlink', link.upstream), asked)
        : renderFirst(section, button),
  })
}

/** Rows of the security page; none where there is no upstream. */
export const renderUpstreamRows = (section: UpstreamSection): readonly Markup[] => {
  const { upstreams, links, view, isOpen } = section
  const words = upstreamWords(view.language)
  const others = upstreams.filter(
    ({ id, byOperator }) => !byOperator && !links.some(({ upstream }) => upstream === id),
  )
  const offer = ({ id, title, mark: icon = null }: UpstreamButton): Markup => {
    const mark = renderTile(title, null, { icon })
    const button = html`${words.offer}<span class="unseen"> ${sayName(title)}</span>`
    const form = makeForm(section, 'link', id)
    const end = isOpen ? renderAct(form, button) : renderFirst(section, button)
    return renderRow({ mark, title: sayName(title), says: words.notLinked, end })
  }
  return [...links.map((link) => renderLinked(link, section)), ...others.map(offer)]
}
