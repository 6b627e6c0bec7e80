/** The refusal of a paused application: its tokens and codes stay as they are. */
import { Refusal } from '../protocol/refusal.ts'

/** A paused application is told to try again after so long. */
const retrySeconds = 5 * 60

/** Nobody knows when its owner resumes it, so `Retry-After` only bounds how often it asks. */
export const pausedRefusal = (): Refusal =>
  new Refusal(
    'temporarily_unavailable',
    'authorization_paused',
    'this application is paused: its owner can resume it, and nothing was used up',
    { headers: { 'Retry-After': String(retrySeconds) } },
  )
