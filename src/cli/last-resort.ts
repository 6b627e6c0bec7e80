/** Faults that nobody caught. */
import { findHost } from '../http/outbound-exchange.ts'
import { type Tell, unexpected } from '../model/notice.ts'

/**
 * Tells of them. One of a connection to a host outside has cost that connection only, and the service
 * lives on. Any other one may have left something half done, and a restart begins anew.
 *
 * @param end ends the process
 */
export const watchUncaught = (tell: Tell, end: () => void): void => {
  process.on('uncaughtException', (fault) => {
    const host = findHost()
    if (host === null) {
      tell({ ...unexpected(fault), message: 'unexpected fault: the service ends' })
      end()
    } else tell({ ...unexpected(fault), message: 'unexpected fault of a connection', host })
  })
}
