/** The console’s page about a pasted token. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Browser } from '../support/browser.ts'
import { act, newConsoleVisitor } from '../support/console.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { start, startBefore } from '../support/start.ts'

let browser: Browser
const started = startBefore(start, async () => {
  // Auditors may look, too: nothing changes.
  browser = (await newConsoleVisitor(started, ['auditor'])).browser
})

const issue = async (): Promise<string> => {
  const form = { grant_type: 'client_credentials', scope: 'photos:read' }
  return (await started.post('/token', form, nightlyReport)).body.access_token
}

const look = async (token: string): Promise<string> => {
  const { status, text } = await act(browser, '/admin/token', { token })
  assert.equal(status, 200)
  assert.ok(token.length < 8 || !text.includes(token), 'the page shows the token')
  return text
}

describe('a pasted token', () => {
  it('is told with its application and its permissions', async () => {
    const page = await look(` ${await issue()}\n`)
    for (const said of ['This token works.', 'Access token', nightlyReport[0], 'photos:read']) {
      assert.ok(page.includes(said), said)
    }
  })

  it('is told with the reason of its refusal', async () => {
    const token = await issue()
    await started.post('/revoke', { token }, nightlyReport)
    assert.match(await look(token), /This token is refused\.[\s\S]*This one token was revoked\./)
    assert.match(await look(`${(await issue()).slice(0, -4)}AAAA`), /Its seal does not fit/)
  })

  it('may be anything', async () => {
    assert.match(await look('"><b>'), /This service issued nothing like it\./)
    assert.match(await look(''), /This service issued nothing like it\./)
  })

  it('needs the token of the form, and a role', async () => {
    const strange = await browser.ask('/admin/token', { token: 'x' })
    assert.equal(strange.status, 403)
    const { browser: nobody } = await newConsoleVisitor(started, [], 'Nobody')
    assert.equal((await nobody.ask('/admin/token')).status, 404)
  })
})
