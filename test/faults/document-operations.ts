/** Authorization requests of clients that are metadata documents. */
import assert from 'node:assert/strict'
import { documentLimits } from '../../src/clients/site-fetch.ts'
import type { Reachable } from '../support/browser.ts'
import type { DocumentSite } from '../support/document-site.ts'
import { newVisitor } from '../support/people.ts'
import { authorizePath } from '../support/printing.ts'
import { assertDone, type Operation, operation } from './operation.ts'

/** RFC 7636 appendix B. */
const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/**
 * @param host where the documents are
 * @param pass lets so many seconds pass
 */
export const documentOperations = (
  host: DocumentSite,
  pass: (seconds: number) => void,
): readonly Operation[] => {
  let count = 0

  const newDocument = async (service: Reachable) => {
    const { browser, operator } = await newVisitor(service)
    const path = `/${++count}.json`
    const serve = (client_name: string) =>
      host.serve(path, { client_name }, { 'cache-control': 'max-age=0' })
    const request = {
      response_type: 'code',
      client_id: serve('Old'),
      redirect_uri: 'http://127.0.0.1:43210/callback',
      scope: 'photos',
      code_challenge,
      code_challenge_method: 'S256',
    }
    const seeConsent = () => browser.go(authorizePath(request))
    return {
      serve,
      seeConsent,
      /** Whatever went wrong before: the next request gets its page, with the present name. */
      async assertNamed(name: string) {
        const { status, text } = await seeConsent()
        assert.equal(status, 200, text)
        assert.ok(text.includes(name), text)
      },
      /** Null where the store has no such client. */
      async findName(): Promise<string | null> {
        const id = encodeURIComponent(request.client_id)
        const { status, body } = await operator('GET', `clients/${id}`)
        return status === 200 ? body.client_name : null
      },
    }
  }

  const meet = operation('see a new document', 'registerClient', async (service) => {
    const { seeConsent, assertNamed, findName } = await newDocument(service)
    return {
      ask: seeConsent,
      settle: async (done) => {
        assertDone((await findName()) === 'Old', done)
        await assertNamed('Old')
      },
    }
  })

  const renew = operation('see a changed document', 'keepClientDocument', async (service) => {
    const { serve, seeConsent, assertNamed, findName } = await newDocument(service)
    await assertNamed('Old')
    serve('New')
    pass(documentLimits.freshAtLeast)
    return {
      ask: seeConsent,
      settle: async (done) => {
        assertDone((await findName()) === 'New', done)
        await assertNamed('New')
      },
    }
  })

  return [meet, renew]
}
