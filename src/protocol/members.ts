/** Members of a JSON object, checked against a schema whose descriptions say what is expected. */
import type { z } from 'zod'
import { type ErrorCode, Refusal } from './refusal.ts'

/** A name that came from outside is repeated only where it looks like one. */
const named = (key: string): string =>
  /^[A-Za-z0-9_.-]{1,64}$/.test(key) ? key : '(one with an unusual name)'

/**
 * Checks members that came from outside. What is refused is named, never repeated: the description
 * is `redirect_uris has to be ...`, with the words that the schema has for the member.
 *
 * @throws Refusal with the code that `codeOf` gives for the member that is wrong
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
      `unknown: ${issue.keys.map(named).join(', ')}; known: ${known}`,
    )
  }
  const member = String(issue?.path[0])
  const expected = (schema.shape[member] as z.ZodType | undefined)?.description
  throw new Refusal(codeOf(member), `bad_${member}`, `${member} has to be ${expected}`)
}
