/** The template tag of all pages: escapes what is put in, answers at once. */
import { html as honoHtml } from 'hono/html'

/** Text that is HTML already. Only `html` makes it. */
export type Markup = Exclude<ReturnType<typeof honoHtml>, Promise<unknown>>

/** Values for a template: text is escaped, null shows nothing. */
export type Content = string | number | null | Markup | readonly (string | number | Markup)[]

/** Hono's tag also takes promises and then answers with one; pages are given data, never promises. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Markup => {
  const markup = honoHtml(strings, ...values)
  if (markup instanceof Promise) throw new TypeError('A page was given a promise instead of data.')
  return markup
}
