/** Reads a rendered page as a program would: its tags, and what submitting its first form sends. */

export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

export const tagsOf = (page: string): readonly Tag[] =>
  [...page.matchAll(/<(\/?[a-z][a-z0-9]*|!doctype)([^<>]*)>/gi)].map(
    ([, name = '', rest = '']) => ({
      name,
      attributes: Object.fromEntries(
        [...rest.matchAll(/([^\s"'=/]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [
          key,
          unescaped(value),
        ]),
      ),
    }),
  )

/** All that a reader sees, tags left out. */
export const textOf = (page: string): string =>
  unescaped(page.replaceAll(/<[^<>]*>/g, ' ')).replaceAll(/\s+/g, ' ')

/** A piece of a page as text, character by character. */
export const exactText = (piece: string): string => unescaped(piece.replaceAll(/<[^<>]*>/g, ''))

/** A list of facts: each term with what stands beside it. */
export const factsOf = (page: string): readonly (readonly [string, string])[] =>
  [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(
    ([, term = '', value = '']) => [exactText(term), exactText(value)] as const,
  )

/** The names and values a browser sends for a form that nobody touched, buttons left out. */
export const sentBy = (page: string, form = 0): readonly (readonly [string, string])[] => {
  const part = page.split('<form ')[form + 1]?.split('</form>')[0] ?? ''
  return tagsOf(part)
    .filter(({ name }) => name === 'input')
    .map(({ attributes }) => attributes)
    .filter((of) => !('disabled' in of))
    .filter((of) => !['checkbox', 'radio'].includes(of.type ?? '') || 'checked' in of)
    .map((of) => [of.name ?? '', of.value ?? ''] as const)
}

/** The buttons of a page in their order: name and value. */
export const buttonsOf = (page: string): readonly (readonly [string, string])[] =>
  tagsOf(page)
    .filter(({ name }) => name === 'button')
    .map(({ attributes }) => [attributes.name ?? '', attributes.value ?? ''] as const)
