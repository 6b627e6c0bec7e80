/** The code blocks of a document. */

export interface Block {
  /** Where it stands, such as `docs/guard.md:17`. */
  readonly place: string
  readonly language: string
  /** The file name behind the language. A later block can import it, and a test can run it. */
  readonly name: string | null
  readonly text: string
}

export const blocksOf = (file: string, text: string): readonly Block[] =>
  [...text.matchAll(/^( *)```(\w+)(?: (\S+))?\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', name = null, body = ''], i) => ({
      place: `${file}#${i + 1}`,
      language,
      name,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
