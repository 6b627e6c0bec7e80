/** Parses JSON and refuses numbers that a double cannot hold exactly (RFC 8259 section 6). */

import { Refusal } from '../protocol/refusal.ts'
import { httpLimits } from './limits.ts'

/** Stands for a number that was not kept, until its place is known. */
class Inexact {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** A loop, because `/0+$/` takes quadratic time. */
const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** The digits without leading and trailing zeros, and the exponent of a fraction `0.digits`. */
const decimalOf = (source: string): readonly [digits: string, exponent: number] => {
  const [mantissa = '', power = '0'] = source.toLowerCase().replace(/^-/, '').split('e', 2)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const leading = whole.length + fraction.length - digits.length
  const significant = withoutTrailingZeros(digits)
  return [significant, significant === '' ? 0 : whole.length - leading + Number(power)]
}

const isExact = (source: string): boolean => {
  if (source.length > httpLimits.numberCharacters) return false
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  const [digits, exponent] = decimalOf(source)
  const [kept, keptExponent] = decimalOf(String(value))
  return digits === kept && exponent === keptExponent
}

/** The path of the first number that was not kept, such as `sizes[2].width`. */
const placeOf = (value: unknown, path: string): readonly [string, Inexact] | null => {
  if (value instanceof Inexact) return [path, value]
  if (typeof value !== 'object' || value === null) return null
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    const found = placeOf(member, path + step)
    if (found !== null) return found
  }
  return null
}

/** So much of a path or a number is shown. */
const shown = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 60)}...`)

/** Fifteen digits without an exponent are always exact, and most bodies have no longer number. */
const mayBeInexact = /[\d.]{16}|\d[eE]/

/**
 * @throws Refusal `invalid_request` with the place of a number that cannot be kept
 * @throws SyntaxError where the text is no JSON
 */
export const parseExactJson = (text: string): unknown => {
  if (!mayBeInexact.test(text)) return JSON.parse(text)
  let isWhole = true
  const value: unknown = JSON.parse(
    text,
    (_key, member: unknown, context?: { source?: string }) => {
      const source = context?.source
      if (typeof member !== 'number' || source === undefined || isExact(source)) return member
      isWhole = false
      return new Inexact(source)
    },
  )
  const found = isWhole ? null : placeOf(value, '')
  if (found === null) return value
  const [path, { source }] = found
  throw new Refusal(
    'invalid_request',
    'number_not_exact',
    `the number ${shown(source)} at ${shown(path) || 'the top'} cannot be kept exactly: send it as a string`,
  )
}
