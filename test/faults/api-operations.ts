/** What clients ask of the resources, of registration and of the admin API. */
import assert from 'node:assert/strict'
import { bearer, operatorOf } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { newName, newPerson } from '../support/people.ts'
import { callback } from '../support/printing.ts'
import {
  assertDone,
  isActive,
  newTokens,
  type Operation,
  operation,
  passwordGrant,
  reading,
} from './operation.ts'

/** A person's photos, by a token that may do everything with them. */
const newAlbum = async (service: Reachable) => {
  const { access_token } = await newTokens(service)
  return (method: string, path = '', json?: unknown, headers: Record<string, string> = {}) =>
    service.ask(`/api/photos${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, ...headers },
      ...(json === undefined ? {} : { json }),
    })
}

const addItem = operation('POST item', 'putItem', async (service) => {
  const album = await newAlbum(service)
  return {
    ask: () => album('POST', '', { title: 'One' }),
    settle: async (done) => {
      const { body } = await album('GET')
      assertDone(body.items.length === 1, done)
    },
  }
})

const putItem = operation('PUT item', 'putItem', async (service) => {
  const album = await newAlbum(service)
  const { headers } = await album('PUT', '/a', { title: 'Old' })
  const ask = () => album('PUT', '/a', { title: 'New' }, { 'if-match': headers.get('etag') ?? '' })
  return {
    ask,
    settle: async (done) => {
      const { body } = await album('GET', '/a')
      assert.ok(['Old', 'New'].includes(body.title))
      assertDone(body.title === 'New', done)
      // One condition allows one change.
      const again = await ask()
      if (done !== null) assert.equal(again.status, done ? 412 : 200)
    },
  }
})

const deleteItem = operation('DELETE item', 'deleteItem', async (service) => {
  const album = await newAlbum(service)
  await album('PUT', '/a', { title: 'Old' })
  return {
    ask: () => album('DELETE', '/a'),
    settle: async (done) => assertDone((await album('GET', '/a')).status === 404, done),
  }
})

const readItem = reading(
  'GET item',
  async (service) => {
    const album = await newAlbum(service)
    await album('PUT', '/a', { title: 'One' })
    return () => album('GET', '/a')
  },
  ({ body }) => assert.equal(body.title, 'One'),
)

const listItems = reading(
  'GET items',
  async (service) => {
    const album = await newAlbum(service)
    await album('PUT', '/a', { title: 'One' })
    return () => album('GET')
  },
  ({ body }) => assert.equal(body.items.length, 1),
)

const userinfo = reading('userinfo', async (service) => {
  const { access_token } = await newTokens(service, { scope: 'openid' })
  return () => service.ask('/userinfo', bearer(access_token))
})

const metadata = () => ({
  client_name: newName(),
  redirect_uris: [callback],
  grant_types: ['client_credentials'],
  response_types: [],
  scope: 'photos',
})

const newRegistration = async (service: Reachable) => {
  const { status, body, text } = await service.ask('/register', { json: metadata() })
  assert.equal(status, 201, text)
  const { client_id, client_secret, registration_access_token: token } = body
  const manage = (method: string, json?: unknown) =>
    service.ask(`/register/${client_id}`, {
      ...bearer(token),
      method,
      ...(json === undefined ? {} : { json }),
    })
  return { client_id, client_secret, manage }
}

const register = operation('register', 'registerClient', async (service) => {
  const json = metadata()
  return {
    ask: () => service.ask('/register', { json }),
    settle: async (_done, answers) => {
      for (const { body } of answers.filter(({ status }) => status === 201)) {
        const { status } = await service.ask(
          `/register/${body.client_id}`,
          bearer(body.registration_access_token),
        )
        assert.equal(status, 200)
      }
    },
  }
})

const readRegistration = reading('read registration', async (service) => {
  const { manage } = await newRegistration(service)
  return () => manage('GET')
})

const changeRegistration = operation('change registration', 'changeOwnClient', async (service) => {
  const { manage, client_id, client_secret } = await newRegistration(service)
  return {
    ask: () => manage('PUT', { ...metadata(), client_id, client_secret, client_name: 'New' }),
    settle: async (done) => assertDone((await manage('GET')).body.client_name === 'New', done),
  }
})

const endRegistration = operation('end registration', 'deleteOwnClient', async (service) => {
  const { manage } = await newRegistration(service)
  return {
    ask: () => manage('DELETE'),
    settle: async (done) => assertDone((await manage('GET')).status === 401, done),
  }
})

/** The client is given its token, whether its use can be noted or not. */
const useRegistration: Operation = {
  ...reading('use registration', async (service) => {
    const { client_id, client_secret } = await newRegistration(service)
    const form = { grant_type: 'client_credentials' }
    return () => service.post('/token', form, [client_id, client_secret])
  }),
  doesWithout: 'noteClientUse',
}

const newClient = async (service: Reachable) => {
  const operator = await operatorOf(service)
  const json = { ...metadata(), client_id: newName() }
  const { status, body, text } = await operator('POST', 'clients', json)
  assert.equal(status, 201, text)
  const path = `clients/${json.client_id}`
  const logIn = () =>
    service.post('/token', { grant_type: 'client_credentials' }, [
      json.client_id,
      body.client_secret,
    ])
  return { operator, path, logIn }
}

const createClient = operation('create client', 'createClient', async (service) => {
  const operator = await operatorOf(service)
  const json = { ...metadata(), client_id: newName() }
  const ask = () => operator('POST', 'clients', json)
  return {
    ask,
    settle: async (done) => {
      const { status } = await operator('GET', `clients/${json.client_id}`)
      assertDone(status === 200, done)
      assert.equal((await ask()).status, status === 200 ? 409 : 201)
    },
  }
})

const rotateSecret = operation('rotate secret', 'changeClient', async (service) => {
  const { operator, path, logIn } = await newClient(service)
  return {
    ask: () => operator('POST', `${path}/rotate-secret`),
    settle: async (done) => assertDone((await logIn()).status === 401, done),
  }
})

const endTokens = operation('end tokens of a client', 'endClientTokens', async (service) => {
  const { operator, path, logIn } = await newClient(service)
  const { body } = await logIn()
  return {
    ask: () => operator('POST', `${path}/end-tokens`),
    settle: async (done) => {
      assert.equal((await logIn()).status, 200)
      const { status } = await service.ask('/api/photos', bearer(body.access_token))
      assertDone(status === 401, done)
    },
  }
})

const changeClient = operation('disable client', 'changeClient', async (service) => {
  const { operator, path, logIn } = await newClient(service)
  const { body } = await logIn()
  return {
    ask: () => operator('PATCH', path, { disabled: true }),
    settle: async (done) => {
      assertDone((await logIn()).status === 401, done)
      const { status } = await service.ask('/api/photos', bearer(body.access_token))
      assertDone(status === 401, done)
    },
  }
})

const raiseClient = operation(
  'give a client more of the admin API',
  'raiseClient',
  async (service) => {
    const { operator, path, logIn } = await newClient(service)
    const { body } = await logIn()
    return {
      ask: () => operator('PATCH', path, { scope: 'photos:read owners:read' }),
      settle: async (done) => {
        const { scope } = (await operator('GET', path)).body
        assertDone(scope.includes('owners:read'), done)
        const { status } = await service.ask('/api/photos', bearer(body.access_token))
        assertDone(status === 401, done)
      },
    }
  },
)

const deleteClient = operation('delete client', 'deleteClient', async (service) => {
  const { operator, path, logIn } = await newClient(service)
  return {
    ask: () => operator('DELETE', path),
    settle: async (done) => assertDone((await logIn()).status === 401, done),
  }
})

const createOwner = operation('create owner', 'createOwner', async (service) => {
  const operator = await operatorOf(service)
  const json = { username: newName(), password: 'correct horse battery' }
  const ask = () => operator('POST', 'owners', json)
  return {
    ask,
    settle: async (done) => {
      const { status } = await passwordGrant(service, json.username)
      assertDone(status === 200, done)
      assert.equal((await ask()).status, status === 200 ? 409 : 201)
    },
  }
})

const changeOwner = operation('disable owner', 'changeOwner', async (service) => {
  const { id, operator, access_token } = await newTokens(service)
  return {
    ask: () => operator('PATCH', `owners/${id}`, { disabled: true }),
    settle: async (done) => assertDone(!(await isActive(service, access_token)), done),
  }
})

const giveRoles = operation('give roles', 'giveRoles', async (service) => {
  const { id, operator } = await newTokens(service)
  return {
    ask: () => operator('PATCH', `owners/${id}`, { roles: ['auditor'] }),
    settle: async (done) => {
      const { body } = await operator('GET', `owners/${id}`)
      assertDone(body.roles.includes('auditor'), done)
    },
  }
})

const setPassword = operation('set password', 'changePassword', async (service) => {
  const { id, operator, username, access_token } = await newTokens(service)
  return {
    ask: () => operator('POST', `owners/${id}/set-password`, { password: 'quite another one' }),
    settle: async (done) => {
      assertDone(!(await isActive(service, access_token)), done)
      const { status } = await passwordGrant(service, username, 'quite another one')
      assertDone(status === 200, done)
    },
  }
})

const endAccess = operation('end access', 'endAccessOf', async (service) => {
  const { id, operator, access_token } = await newTokens(service)
  return {
    ask: () => operator('POST', `owners/${id}/end-access`),
    settle: async (done) => assertDone(!(await isActive(service, access_token)), done),
  }
})

const deleteOwner = operation('delete owner', 'deleteOwner', async (service) => {
  const { id, operator, access_token } = await newTokens(service)
  return {
    ask: () => operator('DELETE', `owners/${id}`),
    settle: async (done) => assertDone(!(await isActive(service, access_token)), done),
  }
})

const authorizationOf = async (service: Reachable) => {
  const tokens = await newTokens(service)
  const { body } = await tokens.operator('GET', `authorizations?owner=${tokens.id}`)
  return { ...tokens, path: `authorizations/${body.items[0].id}` }
}

const narrow = operation('narrow', 'narrowAuthorization', async (service) => {
  const { operator, path, access_token } = await authorizationOf(service)
  return {
    ask: () => operator('PATCH', path, { scope: 'photos:read' }),
    settle: async (done) => {
      const { status } = await service.ask('/api/contacts', bearer(access_token))
      assertDone(status === 403, done)
    },
  }
})

const end = operation('end', 'endAuthorization', async (service) => {
  const { operator, path, access_token } = await authorizationOf(service)
  return {
    ask: () => operator('DELETE', path),
    settle: async (done) => assertDone(!(await isActive(service, access_token)), done),
  }
})

const lists = ['clients', 'clients/house-app', 'owners', 'authorizations', 'events'].map((path) =>
  reading(`see ${path}`, async (service) => {
    const operator = await operatorOf(service)
    return () => operator('GET', path)
  }),
)

const seeOwner = reading('see owner', async (service) => {
  const { id, operator } = await newPerson(service)
  return () => operator('GET', `owners/${id}`)
})

/** Gathered refusals are written first. If that fails, this one is found all the same. */
const seeRefusal: Operation = {
  ...reading('see a refusal', async (service) => {
    const operator = await operatorOf(service)
    const { reference } = await service.ask('/api/photos')
    const ask = () => operator('GET', `refusals/${reference}`)
    assert.equal((await ask()).status, 200)
    return ask
  }),
  doesWithout: 'recordRefusals',
}

const seeRefusals: Operation = {
  ...reading('see refusals', async (service) => {
    const operator = await operatorOf(service)
    return () => operator('GET', 'refusals')
  }),
  doesWithout: 'recordRefusals',
}

const ready = reading('ready', async (service) => () => service.ask('/health/ready'))

export const apiOperations: readonly Operation[] = [
  addItem,
  putItem,
  deleteItem,
  readItem,
  listItems,
  userinfo,
  register,
  readRegistration,
  changeRegistration,
  endRegistration,
  useRegistration,
  createClient,
  changeClient,
  rotateSecret,
  raiseClient,
  endTokens,
  deleteClient,
  createOwner,
  changeOwner,
  giveRoles,
  setPassword,
  endAccess,
  deleteOwner,
  narrow,
  end,
  ...lists,
  seeOwner,
  ready,
  seeRefusal,
  seeRefusals,
]
