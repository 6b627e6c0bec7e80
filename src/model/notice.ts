/** A notice: what the log and the counters are told. Never a secret, nor anything a client sent. */

export interface Notice {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly requestId?: string
  readonly [field: string]: string | number | boolean | null | undefined
}

/** Receives log entries. */
export type Tell = (notice: Notice) => void

/** What nobody foresaw. */
export const noteFault = (fault: unknown): Notice => ({
  level: 'error',
  message: 'unexpected fault',
  fault: fault instanceof Error ? (fault.stack ?? fault.message) : 'not an Error',
})
