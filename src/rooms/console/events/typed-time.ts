/** Times that an operator types into filters. */

/** The value of a field for a time, in UTC; undefined where it is none. */
export const typedSeconds = (text: string): number | undefined => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined
  const at = Date.parse(`${text}Z`) / 1000
  return Number.isNaN(at) || at < 0 ? undefined : Math.floor(at)
}
