/** The preselected duration of the consent page, which a form without a choice has, too. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Settings } from '../../src/config/settings.ts'
import { enter } from '../support/authorization.ts'
import { formsOf } from '../support/browser.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { start } from '../support/start.ts'

const preselectedOf = async (
  settings: Partial<Settings>,
  who: 'operator' | 'itself',
): Promise<readonly string[] | undefined> => {
  const service = await start(settings)
  try {
    const { redirect_uri } = codeRequest
    const json = { redirect_uris: [redirect_uri], scope: 'photos' }
    const { body } = await service.ask('/register', { json })
    const client_id = who === 'itself' ? body.client_id : 'photo-printer'
    const browser = await enter(service)
    const page = await browser.go(authorizePath({ ...codeRequest, client_id }))
    const form = formsOf(page.text).find(({ fields }) => 'journey' in fields)
    return form?.fields.duration
  } finally {
    await service.close()
  }
}

describe('the preselected duration', () => {
  test('is forever by default', async () => {
    assert.deepEqual(await preselectedOf({}, 'operator'), ['forever'])
  })

  for (const defaultDuration of ['session', 'day', 'month'] as const) {
    test(`is ${defaultDuration} where that is set`, async () => {
      assert.deepEqual(await preselectedOf({ defaultDuration }, 'operator'), [defaultDuration])
    })
  }

  test('is a month for a client that registered itself, whatever is set', async () => {
    for (const defaultDuration of ['session', 'forever'] as const) {
      assert.deepEqual(await preselectedOf({ defaultDuration }, 'itself'), ['month'])
    }
  })
})
