/** What the operator was told of a client of the demo. */
import type { Operator } from '../flows/operator.ts'

/** The types of the events of one second; those of the same millisecond come in no order. */
export const told = async (
  operator: Operator,
  at: number,
  client = 'photo-printer',
): Promise<readonly string[]> => {
  const { body } = await operator('GET', `events?client=${client}&limit=100`)
  const events: readonly { readonly type: string; readonly at: number }[] = body.items
  return events
    .filter((event) => event.at === at)
    .map(({ type }) => type)
    .sort()
}
