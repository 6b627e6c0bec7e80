/** Throttling: shows the same page again, with the time to wait. */
import type { Answer } from '../http/answer.ts'
import { Refusal } from '../protocol/refusal.ts'

/** @param wait shows the page, told how many seconds are left */
export const tryOrWait = async (
  attempt: () => Promise<Answer>,
  wait: (seconds: number) => Promise<Answer> | Answer,
): Promise<Answer> => {
  try {
    return await attempt()
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.reason !== 'login_throttled') throw fault
    return wait(Number(fault.headers['Retry-After']))
  }
}
