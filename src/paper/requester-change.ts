/** A client's changes of itself, with old and new values. Strangers choose all of them. */

import type { Language } from '../model/language.ts'
import { shortenPlace, spellOut } from '../model/plain/line.ts'
import type { RequesterChange } from '../model/requester.ts'
import { allowMarkup, defineWords } from './catalog.ts'
import { sayName } from './fields.ts'
import { html, type Markup } from './markup.ts'

const requesterChangeWords = defineWords('requester-change', {
  name: allowMarkup('Its name was {before}. It is now {now}.'),
  hosts: allowMarkup('It sent you to {before}. It now sends you to {now}.'),
  responseTypes: allowMarkup('It received its access as {before}. It can now receive it as {now}.'),
  method: allowMarkup('It proved who it is by {before}. It now does so by {now}.'),
})

/** Hosts, or words of the protocol, with spaces between them. */
const quote = (text: string): Markup =>
  html`<code>${spellOut(text.split(' ').map(shortenPlace).join(', '))}</code>`

const shownAs = { name: sayName, hosts: quote, responseTypes: quote, method: quote } as const

export const renderRequesterChange = (change: RequesterChange, language: Language): Markup => {
  const words = requesterChangeWords(language)
  const names = Object.keys(shownAs) as (keyof typeof shownAs)[]
  const lines = names.flatMap((name) => {
    const pair = change[name]
    if (pair === undefined) return []
    const [before, now] = [shownAs[name](pair[0]), shownAs[name](pair[1])]
    return [html`<li>${words[name]({ before, now })}</li>`]
  })
  return html`<ul>${lines}</ul>`
}
