/** Words of the page that posts an authorization response to the application. */
import { defineWords } from '../catalog.ts'
import { type Content, html } from '../markup.ts'

export const formPostWords = defineWords(
  {
    title: 'Back to the application',
    heading: ({ client }: { client: Content }) => html`Back to ${client}`,
    where: ({ host }: { host: Content }) => html`Press the button to go on to ${host}.`,
    submit: 'Go on',
  },
  {
    title: '返回应用',
    heading: ({ client }: { client: Content }) => html`返回 ${client}`,
    where: ({ host }: { host: Content }) => html`点击按钮，前往 ${host}。`,
    submit: '继续',
  },
)
