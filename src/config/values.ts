/** Settings as rows, and parsers of single ones: a text or a JSON value becomes a value, or one hears what was expected. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { stripBrackets } from '../model/sector.ts'

/** What came of parsing; `expected` completes the sentence "PORT must be ...". */
export type Parsed<Value> = { readonly value: Value } | { readonly expected: string }

/** @param cwd what relative paths start from */
export type Parse<Value> = (given: unknown, cwd: string) => Parsed<Value>

/** The content of a file without its last line feed; null where it cannot be read. */
export const readContent = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    return null
  }
}

export const findRepeated = (values: readonly string[]): string | undefined =>
  values.find((value, index) => values.indexOf(value) < index)

/** A whole number, written in decimal digits where it comes as text. */
export const parseWholeNumber =
  (least: number, most: number): Parse<number> =>
  (given) => {
    const isNumber = typeof given === 'number' || /^\d{1,15}$/.test(String(given))
    const value = isNumber ? Number(given) : Number.NaN
    if (Number.isInteger(value) && value >= least && value <= most) return { value }
    return { expected: `a whole number from ${least} to ${most}` }
  }

export const parseYesOrNo: Parse<boolean> = (given) => {
  const text = String(given).toLowerCase()
  if (text === '1' || text === 'true') return { value: true }
  if (text === '0' || text === 'false') return { value: false }
  return { expected: '1 or 0' }
}

export const parseOneOf =
  <const Choice extends string>(choices: readonly Choice[]): Parse<Choice> =>
  (given) => {
    const value = choices.find((choice) => choice === given)
    if (value !== undefined) return { value }
    return { expected: `one of ${choices.join(', ')}` }
  }

export const parseTextLike =
  (form: { test(text: string): boolean }, expected: string): Parse<string> =>
  (given) =>
    typeof given === 'string' && form.test(given) ? { value: given } : { expected }

/** A secret that nobody guesses. */
export const longSecret: Parse<string> = parseTextLike(
  /^.{32,1024}$/,
  'at least 32 characters, such as openssl rand -base64 32 gives',
)

/** An address or a host name to listen on; the brackets of an IPv6 address may be there or not. */
export const parseHostName: Parse<string> = (given) => {
  const text = typeof given === 'string' ? stripBrackets(given) : ''
  const isName = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)
  // A name that ends with a number is an address to a browser, and may be none.
  if (isIP(text) !== 0 || (isName && URL.canParse(`http://${text}`))) return { value: text }
  return { expected: 'an IP address or a host name' }
}

/** A JSON list, or a text with commas or spaces between its entries. */
const listOf =
  (parseEntry: (entry: unknown) => string | null, expected: string): Parse<readonly string[]> =>
  (given) => {
    const entries = typeof given === 'string' ? given.split(/[\s,]+/).filter(Boolean) : given
    const parsed = Array.isArray(entries) ? entries.map(parseEntry) : [null]
    const value = parsed.filter((entry) => entry !== null)
    return value.length === parsed.length ? { value } : { expected }
  }

/** The host of a URL in the spelling of browsers; null if it is none. */
const normalizeHost = (text: unknown): string | null => {
  if (typeof text !== 'string' || !/^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(text)) return null
  return URL.parse(`http://${text}`)?.hostname ?? null
}

/** Host names or addresses, without port; an IPv6 address is in brackets. */
export const parseHostNames = listOf(
  normalizeHost,
  'host names such as auth.internal, without port, separated by commas',
)

const isAddressRange = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

export const parseAddressRanges = listOf(
  (entry) => (typeof entry === 'string' && isAddressRange(entry) ? entry : null),
  'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
)

interface SettingRow<Value> {
  /** The variable, unless it follows from the key; null where only the file can give it. */
  readonly environment?: string | null
  /** The value of the flag, such as `<number>`. Secrets have no flag, since `ps` would show it. */
  readonly takes?: string
  readonly parse: Parse<Value>
  /** Absent where it follows from other settings: then `fallbackText` says how. */
  readonly fallback?: Value
  /** Absent where the fallback says it itself. */
  readonly fallbackText?: string
  readonly meaning: string
  /** When an operator sets it. A setting without an answer is a constant. */
  readonly when: string
  /** Never shown, and may be given as the path of a file (`..._FILE`). */
  readonly secret?: true
}

export type SettingRows = Readonly<Record<string, SettingRow<unknown>>>

/** How one setting is given. Its key is its name in the configuration file. */
export interface Setting<Value> extends SettingRow<Value> {
  readonly environment: string | null
  /** On the command line, such as `--port <number>`; null without one. */
  readonly flag: string | null
}

/** `sessionSeconds` is `LATCHKEY_SESSION_SECONDS`. */
export const getVariable = (key: string): string =>
  `LATCHKEY_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** The flag follows from the variable: `LATCHKEY_SESSION_SECONDS` is `--session-seconds`. */
export const makeSetting = (key: string, row: SettingRow<unknown>): Setting<unknown> => {
  const { environment = getVariable(key), takes } = row
  const words = environment?.replace('LATCHKEY_', '').toLowerCase().replaceAll('_', '-')
  return { ...row, environment, flag: takes === undefined ? null : `--${words} ${takes}` }
}

/** The fallback in words, for documents and help. */
export const describeFallback = ({ fallback, fallbackText }: Setting<unknown>): string =>
  fallbackText ?? (String(fallback ?? '') || 'none')
