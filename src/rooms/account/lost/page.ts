/** The guided page: one step is open, those before it are a line each, and at the end stands a receipt. */
import { showAlert } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { renderAccountPage, renderWayBack } from '../frame.ts'
import { type RecoveryCodesPage, renderNewCodes } from '../security/setup.ts'
import { type LostPage, type LostWords, lostSteps } from './steps.ts'
import { formatWalk } from './walk.ts'
import { lostWords } from './words.ts'

const renderGuide = (page: LostPage, words: LostWords): Markup => {
  const open = page.walk.step - 1
  const items = lostSteps.map((step, index) => {
    if (index > open) return html`<li class="later"><h2>${step.later(words)}</h2></li>`
    if (index === open) {
      return html`<li class="now" aria-current="step"><h2>${step.heading(words)}</h2>
${step.render(page, words)}</li>`
    }
    const { isDone, heading, says } = step.say(page, words)
    return html`<li${isDone ? html` class="done"` : null}>${isDone ? icons.check : null}<h2>${heading}</h2>${says && html`<p>${says}</p>`}</li>`
  })
  return html`<ol class="guide">
${items}</ol>`
}

/** @param last what a step could not do; null = nothing */
export const renderLost = (page: LostPage, last: boolean): string => {
  const { view, walk, about } = page
  const words = lostWords(view.language)
  const { heading } = words.whys[walk.why]
  const said = about && html`<p class="quiet">${words.about({ what: html`${about.says}` })}</p>`
  return renderAccountPage(page, {
    part: 'security',
    title: heading,
    heading,
    head: html`${renderWayBack(view, 'security')}<h1>${heading}</h1>`,
    main: html`<p class="lead">${words.lead}</p>
${said}${last ? showAlert(words.keys.last) : null}
${renderGuide(page, words)}`,
  })
}

/** Null: none were asked for. `late`: the owner has to confirm the login first. */
export type NewCodes = Pick<RecoveryCodesPage, 'ceremony' | 'codes' | 'replaces'> | 'late' | null

const sayOutcome = (page: LostPage, words: LostWords) => {
  const { sessions, password, walk } = page
  const count = sessions.length
  if (count > 0)
    return { isGood: false, heading: words.done.open({ count }), says: words.done.keepGoing }
  if (password === 'old')
    return { isGood: true, heading: words.done.loggedOut, says: words.done.keepGoing }
  const isNew = password === 'new'
  return {
    isGood: true,
    heading: isNew ? words.done.safe : words.done.loggedOut,
    says: isNew ? words.done[walk.why] : null,
  }
}

const renderLines = (page: LostPage, words: LostWords): Markup => {
  const items = lostSteps.map(({ icon, say }) => {
    const { isDone, heading, says } = say(page, words)
    return html`<li class="marked"><span class="tile round${isDone ? ' good' : ''}" aria-hidden="true">${icons[icon]}</span><div><p>${heading}</p>${says && html`<p class="says">${says}</p>`}</div></li>
`
  })
  return html`<ul class="log">
${items}</ul>`
}

const renderCodes = (page: LostPage, codes: NewCodes, words: LostWords): Markup | null => {
  if (codes === null) return null
  const { view } = page
  const go = html`<p class="actions"><a class="button" href="${pageUrl(view, '/account/security/recovery')}">${words.done.makeCodes}</a></p>`
  return html`<section class="card"><h2>${words.done.codes}</h2>${codes === 'late' ? go : renderNewCodes({ ...page, ...codes })}</section>
`
}

export const renderFinished = (page: LostPage, codes: NewCodes): string => {
  const { view, walk } = page
  const words = lostWords(view.language)
  const { isGood, heading, says } = sayOutcome(page, words)
  const again = pageUrl(view, '/account/lost', { ...formatWalk(walk), step: '1' })
  const isKept = codes === null || codes === 'late'
  const finish = html`<a class="button${isKept ? ' primary' : ''}" href="${pageUrl(view, '/account/security')}">${words.done.finish}</a>`
  const cannot = walk.why === 'phone' ? words.done.cannotSays : words.done.cannotSaysNotMe
  return renderAccountPage(page, {
    part: 'security',
    title: words.done.title,
    heading,
    head: html`<span class="tile big round${isGood ? ' good' : ''}" aria-hidden="true">${icons[isGood ? 'check' : 'warning']}</span><h1 class="after">${heading}</h1>`,
    main: html`${says && html`<p class="lead">${says}</p>`}
${renderLines(page, words)}
${says === words.done.keepGoing ? html`<p class="after"><a href="${again}">${words.done.again}</a></p>` : null}
${renderCodes(page, codes, words)}
<section class="card"><h2>${words.done.cannot}</h2><p class="quiet">${cannot}</p>
<p class="actions">${finish}</p></section>`,
  })
}
