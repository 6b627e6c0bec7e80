/** Words for what a client changed about itself since an owner approved something. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

interface Pair {
  readonly before: Markup
  readonly now: Markup
}

export const requesterChangeWords = defineWords(
  {
    name: ({ before, now }: Pair) => html`Its name was ${before}. It is now ${now}.`,
    hosts: ({ before, now }: Pair) => html`It sent you to ${before}. It now sends you to ${now}.`,
    responseTypes: ({ before, now }: Pair) =>
      html`It received its access as ${before}. It can now receive it as ${now}.`,
    method: ({ before, now }: Pair) =>
      html`It proved who it is by ${before}. It now does so by ${now}.`,
  },
  {
    name: ({ before, now }) => html`它的名称原为 ${before}，现为 ${now}。`,
    hosts: ({ before, now }) => html`它原先把您转到 ${before}，现在转到 ${now}。`,
    responseTypes: ({ before, now }) =>
      html`它原先以 ${before} 方式获得访问，现在可以用 ${now} 方式。`,
    method: ({ before, now }) => html`它原先用 ${before} 证明身份，现在用 ${now}。`,
  },
)
