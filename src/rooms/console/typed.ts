/** Refused forms of the console. */
import type { Answer } from '../../http/answer.ts'
import { Refusal } from '../../protocol/refusal.ts'

/** The form again, with the refusal beside the field. Other refusals are for the door. */
export const orShowForm = async (
  work: () => Promise<Answer>,
  otherwise: (refusal: Refusal) => Answer,
): Promise<Answer> => {
  try {
    return await work()
  } catch (fault) {
    if (fault instanceof Refusal && fault.status < 500) return otherwise(fault)
    throw fault
  }
}
