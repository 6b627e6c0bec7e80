/** Members of a JSON object, checked against a schema with descriptions of the expected values. */
import type { z } from 'zod'
import { type ErrorCode, Refusal } from './refusal.ts'

/** A foreign name is repeated only if it looks like one. */
const quoteName = (key: string): string =>
  /^[A-Za-z0-9_.-]{1,64}$/.test(key) ? key : '(one with an unusual name)'

/**
 * Checks foreign members. A refusal names the member, and never repeats its value: `redirect_uris
 * has to be ...`, with the schema's words.
 *
 * @throws Refusal with the code from `codeOf` for the wrong member
 */
export const parseMembers = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  given: Readonly<Record<string, unknown>>,
  codeOf: (member: string) => ErrorCode,
): z.output<z.ZodObject<Shape>> => {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const known = Object.keys(schema.shape).join(', ')
    throw new Refusal(
      codeOf(''),
      'unknown_member',
      `unknown: ${issue.keys.map(quoteName).join(', ')}; known: ${known}`,
    )
  }
  const member = String(issue?.path[0])
  const expected = (schema.shape[member] as z.ZodType | undefined)?.description
  throw new Refusal(codeOf(member), `bad_${member}`, `${member} has to be ${expected}`)
}
