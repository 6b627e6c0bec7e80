/** A page of the playground: one flow, one of its steps, its messages and its button. */
import type { Language } from '../../src/model/language.ts'
import { hide } from '../../src/paper/fields.ts'
import { renderLayout } from '../../src/paper/layout.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { renderCrumbs } from '../../src/paper/pieces.ts'
import { renderQr } from '../../src/paper/qr.ts'
import { pageUrl, type View } from '../../src/paper/view.ts'
import { flowWords } from '../words/flows.ts'
import { playgroundWords } from '../words/words.ts'
import { type Drawing, renderDrawing } from './drawing.ts'
import type { Arrival, Doing, Exchanged, FlowPageData, ShownStep, StepMark } from './exchanged.ts'
import { renderInspected } from './inspected.ts'
import { renderBrought, renderExchanged, renderPreview } from './message.ts'
import { stepWords } from './steps.ts'

export type FlowPage = FlowPageData & { readonly view: View }

const flowUrl = ({ view, flow }: FlowPage, step = ''): string =>
  pageUrl(view, `/playground/${flow}`, { step })

const stepLink = (page: FlowPage, { name, done }: StepMark): Markup => {
  const { language } = page.view
  const current = page.shown.step === name
  return html`<li${done ? html` class="done"` : null}><a href="${flowUrl(page, name)}"${current ? html` aria-current="step"` : null}>${stepWords(language)[name].title}${done ? html`<span class="unseen"> (${playgroundWords(language).done})</span>` : null}</a></li>
`
}

const stepper = (page: FlowPage): Markup =>
  html`<nav aria-label="${playgroundWords(page.view.language).steps}"><ol class="stepper">
${page.steps.map((mark) => stepLink(page, mark))}</ol></nav>`

const attacks = (page: FlowPage): Markup | null => {
  const words = playgroundWords(page.view.language)
  return page.attacks.length === 0
    ? null
    : html`<nav class="attacks" aria-labelledby="attacks"><h2 id="attacks">${words.breakIt}</h2>
<p class="quiet">${words.breakItText}</p>
<ul>
${page.attacks.map((mark) => stepLink(page, mark))}</ul></nav>`
}

const form = (page: FlowPage, step: string, inside: Markup): Markup =>
  html`<form method="post" action="${flowUrl(page)}">
${hide('csrf', page.csrf)}
${hide('step', step)}
${inside}
</form>`

const button = (text: string, isAttack: boolean): Markup =>
  html`<p class="actions"><button class="${isAttack ? 'danger' : 'primary'}" type="submit">${text}</button></p>`

const typing = (label: string, value: string, rows: number): Markup =>
  html`<label class="field"><span>${label}</span>
<textarea name="typed" rows="${rows}" spellcheck="false" autocapitalize="none" required>${value}</textarea></label>`

const sendForm = (page: FlowPage, doing: Extract<Doing, { kind: 'send' }>): Markup => {
  const words = playgroundWords(page.view.language)
  const { step, isAttack } = page.shown
  const [once, again] = isAttack ? [words.attack, words.attackAgain] : [words.send, words.sendAgain]
  const typed = doing.asks === null ? null : typing(words.typed, doing.asks, 4)
  return form(page, step, html`${typed}${button(doing.again ? again : once, isAttack)}`)
}

/** Offers what has to be done before. */
const beforeThis = (page: FlowPage, { first, by }: Extract<Doing, { kind: 'wait' }>): Markup => {
  const { language } = page.view
  const words = playgroundWords(language)
  const link = html`<p class="notice"><a href="${flowUrl(page, first)}">${words.first({ step: stepWords(language)[first].title })}</a></p>`
  if (by === 'page') return link
  if (by === 'button') {
    const run = html`<p class="actions"><button class="primary" type="submit" name="before" value="1">${words.runBefore}</button></p>`
    return html`${link}${form(page, page.shown.step, run)}`
  }
  return html`${link}<p class="actions"><a class="button primary" href="${by.url}">${words.visit}</a></p>`
}

const doingNow = (page: FlowPage): Markup => {
  const { language } = page.view
  const words = playgroundWords(language)
  const { doing, step } = page.shown
  switch (doing.kind) {
    case 'send':
      return sendForm(page, doing)
    case 'visit':
      return html`${doing.isScanned ? html`<p>${renderQr(doing.url, words.qr)}</p>` : null}<p class="actions"><a class="button primary" href="${doing.url}">${words.visit}</a></p>`
    case 'paste':
      return html`<div data-fragment>${form(page, step, html`${typing(words.pasted, '', 3)}${button(words.take, false)}`)}</div>`
    case 'forge':
      return form(page, step, button(words.attack, true))
    case 'wait':
      return beforeThis(page, doing)
    case 'over':
      return html`<p class="notice warning">${words.over}</p>`
  }
}

/** The next request, before the first one is sent. */
const previewIn = ({ shown }: FlowPage): Exchanged | null =>
  shown.exchanges.length === 0 && 'preview' in shown.doing ? shown.doing.preview : null

const happened = (page: FlowPage, language: Language): Markup => {
  const { exchanges, arrival } = page.shown
  const [first] = exchanges
  if (arrival !== null && first !== undefined) return renderBrought(first, language)
  return html`${exchanges.map((one, at) => renderExchanged(one, exchanges.length > 1 ? at + 1 : null, language))}`
}

const isThrownAway = (arrival: Arrival | null): boolean =>
  arrival === 'forged' || arrival === 'mixed-up'

/** The result: the client's own judgement, or a note about an unexpected answer. */
const verdict = (page: FlowPage): Markup | null => {
  const { language } = page.view
  const words = playgroundWords(language)
  const { exchanges, arrival, inspected, step, isAttack, doing } = page.shown
  const { meaning } = stepWords(language)[step]
  // A visit in an attack ends on a page of the service, so nothing comes back.
  if (exchanges.length === 0 && !(isAttack && doing.kind === 'visit')) return null
  const isOther = exchanges.some(({ expected }) => !expected) || inspected?.expected === false
  if (isOther) return html`<p class="notice warning">${words.otherAnswer}</p>`
  const bad = isThrownAway(arrival)
  return html`${arrival === null ? null : html`<p class="notice${bad ? ' problem' : ''}">${words.arrival[arrival]}</p>`}
${meaning === undefined ? null : html`<div class="notice held"><h3>${words.meaning}</h3><p>${meaning}</p></div>`}`
}

const onward = (page: FlowPage): Markup | null => {
  const { language } = page.view
  const { next } = page.shown
  return next === null
    ? null
    : html`<p class="actions"><a class="button primary" href="${flowUrl(page, next)}">${playgroundWords(language).next({ step: stepWords(language)[next].title })}</a></p>`
}

const stepOf = (page: FlowPage): Markup => {
  const { language } = page.view
  const { step, exchanges } = page.shown
  const { title, text } = stepWords(language)[step]
  const preview = previewIn(page)
  const done = exchanges.length > 0
  return html`<div class="step">
<h2>${title}</h2>
<p>${text}</p>
${done ? null : doingNow(page)}
${preview === null ? null : renderPreview(preview, language)}
${verdict(page)}
${done ? onward(page) : null}
${page.shown.inspected === null ? null : renderInspected(page.shown.inspected, language)}
${happened(page, language)}
${done && !['wait', 'over'].includes(page.shown.doing.kind) ? doingNow(page) : null}
</div>`
}

/** Nothing is crossed out before it was sent. */
const crossesOf = ({ exchanges, arrival, isAttack }: ShownStep): Drawing['crosses'] => {
  if (exchanges.length === 0) return null
  return isThrownAway(arrival) ? 'all' : isAttack ? 'refused' : null
}

const drawingOf = (page: FlowPage): Markup => {
  const words = playgroundWords(page.view.language)
  const preview = previewIn(page)
  return renderDrawing({
    exchanges: preview === null ? page.shown.exchanges : [preview],
    names: {
      owner: page.owner ?? words.noOwner,
      client: page.client,
      server: new URL(page.issuer).host,
      api: '/api',
    },
    absent: page.owner === null ? ['owner'] : [],
    crosses: crossesOf(page.shown),
    words,
  })
}

export const renderFlow = (page: FlowPage): string => {
  const { view } = page
  const words = playgroundWords(view.language)
  const { title, text } = flowWords(view.language)[page.flow]
  return renderLayout({
    view,
    title: `${title} · ${words.title}`,
    width: 'full',
    main: html`${renderCrumbs(view, words.crumbs, [
      ['/', words.start],
      ['/playground', words.title],
    ])}
<h1>${title}</h1>
<p class="lead">${text}</p>
${stepper(page)}
<div class="run">
<div class="scene">${drawingOf(page)}</div>
${stepOf(page)}
<div class="breaks">${attacks(page)}
${form(page, '', html`<p><button type="submit">${words.startOver}</button></p>`)}</div>
</div>
<script type="module" src="${view.base}/assets/playground.js"></script>`,
  })
}
