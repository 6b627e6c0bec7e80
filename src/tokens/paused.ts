/** The refusal of a paused application, whichever grant finds it. */
import { Refusal } from '../protocol/refusal.ts'

/** A paused application asks again after so long: nobody knows when its owner resumes it. */
const retrySeconds = 5 * 60

export const pausedRefusal = (): Refusal =>
  new Refusal(
    'temporarily_unavailable',
    'authorization_paused',
    'this application is paused: its owner can resume it, and nothing was used up',
    { headers: { 'Retry-After': String(retrySeconds) } },
  )
