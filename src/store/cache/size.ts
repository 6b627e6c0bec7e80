/** About how much memory a record takes, in bytes. */

const ofObject = 40
const ofMember = 8
const ofText = 24

/** One character beyond Latin-1 makes every character of its text take two bytes. */
const beyondLatin1 = /[^\0-\xff]/

const sizeOfText = (text: string): number =>
  ofText + (beyondLatin1.test(text) ? 2 * text.length : text.length)

/** @param value what JSON can say, and not deeply nested */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return sizeOfText(value)
  if (typeof value !== 'object' || value === null) return 0
  let size = ofObject
  for (const member of Object.values(value)) size += ofMember + sizeOf(member)
  return size
}
