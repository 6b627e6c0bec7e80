/** English in comments, strings and documents, as passages with the line of each. */
import type { Source } from './source.ts'

/** A comment, a string, a paragraph, a list item or a table cell. */
export interface Passage {
  readonly line: number
  readonly text: string
}

/** Joins lines to passages. An empty line or a tag such as `@param` begins a new one. */
const joinLines = (lines: readonly Passage[]): readonly Passage[] => {
  const passages: { line: number; text: string }[] = []
  let isOpen = false
  for (const { line, text } of lines) {
    const last = passages.at(-1)
    if (text === '') isOpen = false
    else if (isOpen && last !== undefined && !/^(@|[-*] |\d+\. )/.test(text)) {
      last.text += ` ${text}`
    } else {
      passages.push({ line, text })
      isOpen = true
    }
  }
  return passages
}

/** The comments of a file. `//` comments on consecutive lines are one passage. */
export const commentsOf = ({ text, spoken }: Source): readonly Passage[] => {
  const code = spoken.split('\n')
  const lines = text.split('\n').flatMap((full, i): readonly Passage[] => {
    const line = i + 1
    const bare = code[i] ?? ''
    const end = { line, text: '' }
    if (full === bare) return [end]
    const from = [...full].findIndex((letter, at) => letter !== bare[at])
    const comment = full
      .slice(from)
      .replace(/^(\/\*\*?|\*\/|\/\/|\*)/, '')
      .replace(/\s*\*\/.*$/, '')
      .trim()
    const isBehindCode = bare.trim() !== ''
    const begins = full.trimStart().startsWith('/*') || isBehindCode
    const ends = isBehindCode || full.includes('*/')
    return [...(begins ? [end] : []), { line, text: comment }, ...(ends ? [end] : [])]
  })
  return joinLines(lines)
}

/** Strings and templates of a file. Each insertion counts as one word, and HTML tags divide. */
export const stringsOf = ({ spoken, code }: Source): readonly Passage[] => {
  const whole: Passage[] = []
  /** Templates that wait for the end of an insertion. */
  const open: Passage[] = []
  let line = 1
  for (let at = 0; at < spoken.length; at++) {
    if (spoken[at] === '\n') line++
    if (spoken[at] === code[at]) continue
    const from = at
    const first = line
    let end = at
    for (; at < spoken.length && (spoken[at] !== code[at] || /\s/.test(spoken[at] ?? '')); at++) {
      if (spoken[at] === '\n') line++
      if (spoken[at] !== code[at]) end = at + 1
    }
    at--
    const piece = spoken.slice(from, end)
    const begun = piece.startsWith('}') ? open.pop() : undefined
    const text = begun === undefined ? piece : `${begun.text}X${piece.slice(1)}`
    const passage = { line: begun?.line ?? first, text }
    if (text.endsWith('${')) open.push({ ...passage, text: text.slice(0, -2) })
    else whole.push(passage)
  }
  return whole.flatMap((passage) =>
    passage.text
      .replace(/^['"`]|['"`]$/g, '')
      .split(/<[^>]*>|\\n|\n/)
      .map((part) => ({ line: passage.line, text: part.replaceAll(/\s+/g, ' ').trim() })),
  )
}

/** Paragraphs, list items, headings and table cells of a document, without blocks of code. */
export const paragraphsOf = (markdown: string): readonly Passage[] => {
  let isCode = false
  const lines = markdown.split('\n').flatMap((full, i): readonly Passage[] => {
    const line = i + 1
    const end = { line, text: '' }
    const isFence = /^\s*```/.test(full)
    if (isFence) isCode = !isCode
    if (isFence || isCode) return [end]
    if (/^\s*\|/.test(full)) {
      const parts = full.replaceAll('\\|', ' ').split(/\||; /)
      return parts.flatMap((part) => [end, { line, text: part.trim() }, end])
    }
    if (full.startsWith('#')) return [end, { line, text: full.replace(/^#+ /, '') }, end]
    const item = /^\s*([-*]|\d+\.) /.exec(full)
    if (item !== null) return [end, { line, text: full.slice(item[0].length).trim() }]
    return [{ line, text: full.trim() }]
  })
  return joinLines(lines)
}

/** Text without marks, links and references; code is one word. */
const plain = (text: string): string =>
  text
    .replaceAll(/`[^`]*`/g, 'X')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, 'X')
    .replaceAll(/\s*\((see |by )?(RFCs?|sections?|OpenID|NIST|decisions?) [^)]*\)/g, '')
    .replaceAll(/[*_]{1,2}([^*_]+)[*_]{1,2}/g, '$1')

/** The sentences of a passage. Headings, cells and single words that hold no small letter are none. */
export const sentencesOf = (text: string): readonly string[] =>
  plain(text)
    .split(/(?<=[.!?…][)"”']*)\s+(?=[("“'A-Z0-9])/)
    .filter((sentence) => /[a-z]/.test(sentence))

export const wordsIn = (sentence: string): number =>
  sentence.split(/[\s—–/]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
