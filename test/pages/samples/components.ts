/** Every component once, on one page: `components-*.jpg` among the pictures of the report, light and dark. */
import { renderComparison } from '../../../src/paper/difference.ts'
import {
  hide,
  renderField,
  renderForm,
  renderSubmit,
  showAlert,
} from '../../../src/paper/fields.ts'
import { type IconName, iconNames, icons, pickEventIcon } from '../../../src/paper/icon.ts'
import { renderLayout } from '../../../src/paper/layout.ts'
import { type Content, html, type Markup } from '../../../src/paper/markup.ts'
import { renderMenu } from '../../../src/paper/menu.ts'
import {
  renderBack,
  renderChips,
  renderCrumbs,
  renderEmpty,
  renderReceipt,
  renderStatus,
  renderWarning,
} from '../../../src/paper/pieces.ts'
import { renderColumns } from '../../../src/paper/plot.ts'
import { renderPasswordField } from '../../../src/paper/proofs.ts'
import {
  renderAsked,
  renderDays,
  renderOver,
  renderRow,
  renderRows,
} from '../../../src/paper/rows.ts'
import { drawStrength } from '../../../src/paper/strength.ts'
import { renderTile } from '../../../src/paper/tile.ts'
import { sayClock, sayDay, sayWhen } from '../../../src/paper/time.ts'
import { pageUrl, type View } from '../../../src/paper/view.ts'
import { renderFact, renderFacts, renderLink } from '../../../src/rooms/console/frame.ts'
import { renderFunnel } from '../../../src/rooms/console/overview/charts.ts'

const part = (heading: string, content: Content): Markup =>
  html`<section class="card"><h2>${heading}</h2>
${content}</section>
`

const day = 86_400

const renderTimes = (view: View): Markup => {
  const { at } = view
  const moments = [at - 720, at - 3 * 3600, at - day, at - 4 * day, at - 40 * day, at - 400 * day]
  const times = moments.map((moment) => html`<li>${sayWhen(moment, at, view)}</li>`)
  return html`<ul>${times}</ul><h3>${sayDay(at, at, view)}</h3><p>${sayClock(at - 720, view)}</p>`
}

const renderList = (view: View): Markup => {
  const { at } = view
  const name = 'Photo Book Studio'
  const app = html`<a href="${pageUrl(view, '/account')}"><bdi>${name}</bdi></a>`
  const says = 'See and change photos, contacts, calendar entries and invoices of the household'
  const change = html`<a class="button" href="${pageUrl(view, '/account/password')}">Change</a>`
  return html`${renderOver('Used today', html`<a href="${pageUrl(view, '/account/ended')}">All 30</a>`)}
${renderRows([
  renderRow({
    mark: renderTile(name, null),
    title: app,
    says: html`${icons.trash}${says}`,
    end: sayWhen(at - 720, at, view),
  }),
  renderRow({
    mark: renderTile('Stranger', null, { registeredBy: 'itself' }),
    title: html`<bdi>Stranger</bdi>`,
    says: html`Somebody who says so`,
    end: renderStatus('Paused', false),
  }),
  renderRow({ mark: icons.lock, title: 'Password', says: 'Changed in August', end: change }),
])}`
}

const renderButtons = (view: View): Markup => {
  const path = '/account/sessions' as const
  const form = { view, csrf: 'c', path, fields: hide('action', 'end') }
  const asked = {
    button: 'End access',
    effect: 'It must ask you again.',
    confirm: 'End access now',
  }
  return html`<p class="actions"><button class="primary" type="button">Save <span class="tag good">last used</span></button><button type="button">Change <span class="tag good">last used</span></button><button class="plain" type="button">Edit</button></p>
<p class="actions"><button class="solid" type="button">Deny</button><button class="primary" type="button">Allow</button></p>
${renderAsked(form, asked)}
${renderAsked(form, { button: 'New key', effect: 'Older tokens stay valid.', confirm: 'Make it now', look: 'calm' })}`
}

const renderFields = (view: View): Markup =>
  renderForm(
    { view, csrf: 'c' },
    '/account/profile',
    html`${renderField({ name: 'email', label: 'Email address', input: html`type="email" value="alice@example"`, hint: 'Used to reach you.', problem: 'This address has no domain.' })}
${renderPasswordField(view, { name: 'secret', label: 'Password', kind: 'current-password' })}
<label class="tick"><input type="checkbox" name="a" checked><span>See your photos</span></label>
<fieldset><legend>For how long</legend><div class="choices"><label><input type="radio" name="d" value="1" checked>1 day</label><label><input type="radio" name="d" value="2">1 month</label><label><input type="radio" name="d" value="3">No end</label></div></fieldset>
${renderSubmit('Save')}`,
  )

const renderChart = (): Markup =>
  renderColumns({
    label: 'Six hours',
    layers: [
      { look: 'reads', name: '41 seen', values: [4, 9, 12, 6, 8, 2] },
      { look: 'refused', name: '3 refused', values: [0, 0, 1, 0, 0, 2] },
    ],
    top: 20,
    scale: ['20', '10', '0'],
    times: ['06:00', '09:00', '11:00'],
    peak: 'Most: 13 (08:00)',
  })

const renderNumbers = (view: View): Markup =>
  html`<ul class="figures"><li><span>Logins</span><b>1,885</b><span>7 refused</span></li><li><span>Refused</span><b>143</b></li></ul>
${renderFunnel(
  [
    { step: 'authorize', count: 148 },
    { step: 'token', count: 67 },
  ],
  view.language,
)}`

const renderHappened = (view: View): Markup => {
  const events = [view.at - 720, view.at - day].map((at) => ({ at }))
  return renderDays(events, view, (some) =>
    some.map(({ at }) =>
      renderRow({
        mark: html`<span class="tile round">${icons[pickEventIcon('authorization.approved')]}</span>`,
        title: html`<code>authorization.approved</code>`,
        says: 'A user, 192.0.2.*',
        end: sayClock(at, view),
        more: html`<code>permissions: photos:read</code>`,
      }),
    ),
  )
}

const renderRecord = (view: View): Markup => {
  const received = 'https://printer.example/callback/'
  const words = { received: 'Received', expected: 'Registered', or: 'or' }
  return html`${renderFacts(null, html`${renderFact('State', renderStatus('Active', true))}${renderFact('Application', renderLink(view, 'clients', 'photo-printer'))}`)}
<dl class="compared">${renderComparison(received, ['https://printer.example/callback'], words)}</dl>`
}

const renderMarks = (): Markup => {
  const names = ['Acme', 'Bert', 'Chess', 'Dora', 'Eve', 'Quill', 'Tide']
  const icon = (name: IconName): Markup => html`<li title="${name}">${icons[name]}</li>`
  return html`<p class="actions">${names.map((name) => renderTile(name, null))}${renderTile('Alice', null, { isPerson: true })}${renderTile('x', null, { registeredBy: 'itself' })}${renderTile('Big', null, { size: 'big' })}${renderTile('Face', null, { size: 'portrait', isPerson: true })}${renderTile('Little', null, { size: 'little' })}${renderTile('Mark', null, { icon: 'branch' })}${renderTile('Mark', null, { size: 'little', icon: 'branch' })}</p>
<ul class="chips">${iconNames.map(icon)}</ul>`
}

const renderTypes = (): Markup =>
  html`<p class="lead">A sentence below the heading of a page</p><p>Text</p><p class="quiet">Quiet text</p><p class="small">Small text</p><p class="note">A note</p><p class="warn">Look twice</p><p><code>photos:read</code></p>
<p><span class="tag">Off</span> <span class="tag good">On</span> <span class="tag warn">Check</span> <span class="tag bad">${icons.warning}Can delete</span> ${renderStatus('Now', true)}</p>`

const renderAround = (view: View): Markup => html`${renderCrumbs(view, 'You are here', [
  ['/account', 'Applications'],
  ['/account/ended', 'Ended'],
])}
${renderReceipt(html`<b>Photo Printer</b> has no access any more.`, html`<form><button type="button">Undo</button></form>`)}
${showAlert('The password was wrong.')}
${renderWarning(html`<p><strong>Nobody has checked this application.</strong> Its name may be false.</p>`)}`

const renderFilters = (view: View): Markup => html`${renderChips('Filter', [
  { href: pageUrl(view, '/account'), text: 'All', count: '30', isCurrent: true },
  {
    href: pageUrl(view, '/account', { show: 'paused' }),
    text: 'Paused',
    count: '2',
    isCurrent: false,
  },
])}
<nav class="parts tabs" aria-label="Range"><ul><li><a href="${pageUrl(view, '/a')}" aria-current="page">Hour</a></li><li><a href="${pageUrl(view, '/b')}">Day</a></li></ul></nav>`

const renderComponents = (view: View): string => {
  const owner = { username: 'alice', name: 'Alice Liddell' }
  const here = html`<nav class="parts" aria-label="Account"><ul><li><a href="${pageUrl(view, '/account')}" aria-current="page">Applications</a></li><li><a href="${pageUrl(view, '/account/security')}">Security</a></li></ul></nav>`
  return renderLayout({
    view,
    title: 'Components',
    width: 'account',
    bar: {
      home: '/account',
      middle: here,
      menu: renderMenu({ view, csrf: 'c', owner }, { menu: 'Menu', logOut: 'Log out' }),
    },
    main: html`${renderBack(view, '/account', 'Applications')}
<h1>Components</h1>
<p class="lead">Every component once</p>
${part('Words', renderTypes())}${part('Around a page', renderAround(view))}${part('Marks', renderMarks())}${part('Rows', renderList(view))}${part('Filters', renderFilters(view))}${part('Buttons', renderButtons(view))}${part('Fields', renderFields(view))}${part('Times', renderTimes(view))}${part('Strength', html`<div class="strength">${drawStrength(3, 4, '3 of 4 are set up')}<div><p class="lead">A stolen password is not enough</p></div></div>`)}${part('Charts', renderChart())}${part('Numbers', renderNumbers(view))}${part('Log', renderHappened(view))}${part('Record', renderRecord(view))}${renderEmpty({ heading: 'Nothing can use your account', says: 'When you allow an application, it stands here.' })}`,
  })
}

/** Its words are English in every language, as they are for the report alone. */
export const componentSamples = (view: View): Readonly<Record<string, string>> => ({
  components: renderComponents({ ...view, zone: 'UTC' }),
})
