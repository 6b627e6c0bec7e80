/** `/admin/issuers`: the trusted issuers, one of them, its form, and the way to allow again what was ended. */
import type { Answer } from '../../http/answer.ts'
import { sayName } from '../../paper/fields.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { renderGo } from '../../paper/rows.ts'
import {
  type ActionRows,
  offer,
  openActions,
  renderButtonsOf,
} from '../../rooms/console/actions.ts'
import { consoleClientsWords } from '../../rooms/console/clients/words.ts'
import {
  type ConsolePageGiven,
  getSubjectPath,
  renderFact,
  renderFacts,
  renderLink,
  renderLinks,
  renderPermissions,
  renderSubject,
} from '../../rooms/console/frame.ts'
import { type ListPage, type ListRow, openList } from '../../rooms/console/list.ts'
import { type FormMember, makeMembers } from '../../rooms/console/member.ts'
import { type MemberForm, openMemberForm } from '../../rooms/console/member-form.ts'
import { type Console, type ConsoleVisit, findConsoleNotice } from '../../rooms/console/visit.ts'
import { showPage } from '../../rooms/visit.ts'
import type { RouteRow } from '../../route.ts'
import type { StoredIssuer } from './contract.ts'
import { describeIssuer } from './issuer.ts'
import { changeIssuer, createIssuer } from './operation-changes.ts'
import { allowIssuer, deleteIssuer, listIssuers, readIssuer } from './operations.ts'
import { consoleIssuersWords } from './words.ts'

type IssuersWords = ReturnType<typeof consoleIssuersWords>

type Described = ReturnType<typeof describeIssuer>

export const issuerList: ListRow<Described, ListPage<Described>, IssuersWords> = {
  operation: listIssuers,
  words: consoleIssuersWords,
  says: ({ view }, _page, words) => ({
    create: ['/admin/new-issuer', words.create],
    above: html`<p class="lead">${words.about}</p>
`,
    row: ({ id, title, issuer }) => ({
      title: renderLink(view, 'issuers', id, sayName(title)),
      says: html`<code>${issuer}</code>`,
      end: html`<code>${id}</code>`,
    }),
  }),
}

const actions = {
  allow: offer(allowIssuer, 'allow', 'allowed', (form) => ({
    username: form.find('username') ?? '',
    client_id: form.find('client') ?? '',
  })),
  delete: offer(deleteIssuer, 'delete', 'deleted'),
} satisfies ActionRows<IssuersWords, StoredIssuer>

const renderAllowFields = (words: IssuersWords): Markup =>
  html`<label class="field"><span>${words.username}</span><input name="username" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label class="field"><span>${words.client}</span><input name="client" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
`

export const renderIssuer = (
  given: ConsolePageGiven,
  issuer: StoredIssuer,
  notice: string | null,
): string => {
  const { view, role } = given
  const words = consoleIssuersWords(view.language)
  const { id, title, keys, clients } = issuer
  const path = getSubjectPath('issuers', id)
  const button = renderButtonsOf(actions, given, path, words)
  const keyIds = keys.jwks?.keys.map(({ kid, kty = '' }) => kid ?? kty).join(' ')
  const code = (text: string): Markup => html`<code>${text}</code>`
  return renderSubject(given, {
    part: 'issuers',
    heading: words.heading,
    title,
    name: sayName(title),
    about: code(id),
    beside: renderGo(view, `${path}/edit`, words.edit),
    notice,
    left: renderFacts(
      null,
      html`${renderFact(words.issuer, code(issuer.issuer))}
${renderFact(words.keys, code(keys.jwks_uri ?? keyIds ?? ''))}
${renderFact(words.owner, code(issuer.owner))}
${renderFact(words.grants, code(issuer.grants.join(' ')))}
${renderFact(words.scope, renderPermissions(view, issuer.scope))}
${renderFact(words.clients, clients === null ? words.anyClient : renderLinks(view, 'clients', clients))}`,
    ),
    right:
      role === 'operator'
        ? html`<section class="card"><h2>${words.allowHeading}</h2>${button('allow', renderAllowFields(words))}</section>
<section class="card">${button('delete')}</section>`
        : null,
  })
}

const listMembers = makeMembers([createIssuer])

export const issuerMemberForm: MemberForm<StoredIssuer> = {
  newPath: '/admin/new-issuer',
  read: readIssuer,
  create: createIssuer,
  change: changeIssuer,
  members: () => Object.values(listMembers()),
  separator: /\s+/,
  isCard: true,
  hides: (issuer) => (issuer === null ? [] : ['id']),
  describe: describeIssuer,
  says({ view }, issuer) {
    const words = consoleIssuersWords(view.language)
    if (issuer === null) {
      const { create, heading, createNow } = words
      return { heading: create, title: create, back: heading, submit: createNow }
    }
    const name = sayName(issuer.title)
    const heading = words.changeHeading({ name })
    return { heading, title: issuer.title, back: name, submit: words.save }
  },
  fields({ view }, { members }, renderField) {
    const { oneOnEachLine } = consoleClientsWords(view.language)
    const hints = { lines: oneOnEachLine, object: 'JSON' }
    const hintOf = ({ kind, about }: FormMember): string =>
      kind in hints ? hints[kind as 'lines'] : about
    return members.map((member) => renderField(member, hintOf(member)))
  },
}

export const openConsoleIssuers = (
  { listAll }: { readonly listAll: () => Promise<readonly StoredIssuer[]> },
  entry: Console,
): readonly RouteRow[] => {
  const list = openList(issuerList, entry, async () => ({
    items: (await listAll()).map(describeIssuer),
    next: null,
  }))

  const show = async (visit: ConsoleVisit): Promise<Answer> => {
    const notice = findConsoleNotice(visit, consoleIssuersWords(visit.view.language).done)
    return showPage(visit, renderIssuer(visit.given, await entry.find(visit, readIssuer), notice))
  }

  return [
    list,
    ...openMemberForm(issuerMemberForm, entry),
    entry.page('/admin/issuers/:id', show, { offers: [readIssuer] }),
    openActions({ of: readIssuer, actions }, entry),
  ]
}
