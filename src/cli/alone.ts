/** Work on a whole store that no service may run on meanwhile. */
import { StoreRefusal } from '../store/fault.ts'

/** Explains a store that is in use: there is only one thing to do. */
export const whileStopped = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (fault) {
    if (!(fault instanceof StoreRefusal && fault.inUse)) throw fault
    throw new StoreRefusal(`${fault.message}: the service is running; end it first`)
  }
}
