/** About how much memory a record takes, in bytes. */

const ofObject = 40
const ofMember = 8
const ofText = 24

/** @param value what JSON can say, and not deeply nested */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return ofText + value.length
  if (typeof value !== 'object' || value === null) return 0
  let size = ofObject
  for (const member of Object.values(value)) size += ofMember + sizeOf(member)
  return size
}
