/** What a route reads or changes, in words: for the access log of the owner, at the service. */
import { shortenTarget } from '../model/use.ts'
import type { TakeLine } from './options.ts'

/** A text, or a function that makes one of the request. A long one is cut. */
export type RouteTarget<Asked> =
  | string
  | ((request: Asked) => string | undefined | Promise<string | undefined>)

/** What a route may say beside its needs. */
export interface RouteWords<Asked> {
  /** What is read or changed, such as `Photo 'Lake'`. Nothing that it returns or throws refuses a request. */
  readonly target?: RouteTarget<Asked>
}

/** A function may take so long. */
const targetMilliseconds = 1000

/** @throws Error for one that takes too long */
const waitFor = async (answer: unknown): Promise<unknown> => {
  if (!(answer instanceof Promise)) return answer
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), targetMilliseconds)
  })
  return Promise.race([answer, end]).finally(() => clearTimeout(timer))
}

/** Programs write these functions, so one may fail or hang. The log is told once. */
export const createTargetReader = (log: TakeLine) => {
  let isTold = false
  return async <Asked>({ target }: RouteWords<Asked>, asked: Asked): Promise<string> => {
    try {
      return shortenTarget(await waitFor(typeof target === 'function' ? target(asked) : target))
    } catch {
      if (!isTold)
        log(
          'latchkey/resource: the function target of a route failed or took too long, and named nothing',
        )
      isTold = true
      return ''
    }
  }
}
