/** The code of the command line, as an operation that faults are put into. */
import type { Store } from '../../src/store/store.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { operatorCode } from '../support/operator-code.ts'
import { rootSecret } from './node.ts'
import { assertDone, type Operation, operation } from './operation.ts'

/** @param at a time in unix seconds at which the service seals already */
export const operatorOperation = (store: Pick<Store, 'listKeys'>, at: number): Operation =>
  operation('take the code of the operator', 'finishCeremony', async (service) => {
    const enter = async (browser: Browser, code: string) => {
      const page = await browser.go('/operator')
      const fields = formsOf(page.text)[0]?.fields
      return () => browser.ask('/operator', { ...fields, code })
    }
    const code = await operatorCode(store, rootSecret, service.issuer, at, at + 30 * 86_400)
    return {
      ask: await enter(new Browser(service), code),
      // A used code is refused, also to others.
      settle: async (done) => {
        const again = await enter(new Browser(service), code)
        assertDone((await again()).status === 403, done)
      },
    }
  })
