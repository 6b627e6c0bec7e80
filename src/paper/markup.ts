/** The template tag of all pages: escapes what is put in, answers at once. */
import { html as honoHtml } from 'hono/html'

/** Text that is HTML already. Only `html` makes it. */
export type Markup = Exclude<ReturnType<typeof honoHtml>, Promise<unknown>>

/** Values for a template: text is escaped, null shows nothing. */
export type Content = string | number | null | Markup | readonly (string | number | Markup)[]

/** Hono's tag answers with a promise only where one is put in. `renderLayout` takes none. */
export const html = honoHtml as (
  strings: TemplateStringsArray,
  ...values: readonly Content[]
) => Markup
