/** The rules of registration: members, registrars, and results (RFC 7591). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeForOperator } from '../../../src/clients/describe.ts'
import { clientLimits } from '../../../src/clients/limits.ts'
import type { Registrar } from '../../../src/clients/metadata.ts'
import { makeClient, makeClientChange } from '../../../src/clients/registration.ts'
import { defaultResources } from '../../../src/config/resources.ts'
import { hashText } from '../../../src/crypto/digest.ts'
import { createVault } from '../../../src/crypto/wrap.ts'
import type { Client } from '../../../src/model/client.ts'
import { jwsAlgorithms } from '../../../src/model/key.ts'
import { adminPermissions } from '../../../src/model/resource.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { builtIn as all } from '../../../src/registries.ts'
import { grantTypes, joinNames, methodNames } from '../../support/advertised.ts'
import { cpuMilliseconds } from '../../support/cpu.ts'

type Metadata = Readonly<Record<string, unknown>>

let filled = 0
/** As without a trusted proxy. */
const builtIn = {
  ...all,
  clientMethods: all.clientMethods.filter(({ name }) => methodNames.includes(name)),
}

const parts = {
  clock: () => 1_795_262_400_000,
  random: (bytes: number) => new Uint8Array(bytes).fill(++filled),
  settings: { accessTokenSeconds: 3600, refreshTokenSeconds: 2592000, demo: false },
  resources: { list: () => defaultResources, words: [] },
  vault: createVault({ inForce: () => null, known: [] }, (bytes) => new Uint8Array(bytes)),
}

const callback = 'https://app.example/callback'

const register = (metadata: Metadata, by: Registrar = 'itself', id?: string) =>
  makeClient(metadata, { by, registries: builtIn, ...(id === undefined ? {} : { id }) }, parts)

/** A change, without its random salt. */
const change = (client: Client, metadata: Metadata, by: Registrar = 'itself') => {
  const changed = makeClientChange(client, metadata, { by, registries: builtIn }, parts)
  const { newSalt, ...members } = changed.change
  assert.match(newSalt, /^[\w-]{22}$/)
  return { ...changed, change: members }
}

/** What is refused, as `code: description`. */
const refusalOf = (act: () => unknown): string => {
  try {
    act()
  } catch (fault) {
    if (fault instanceof Refusal) return `${fault.code}: ${fault.description}`
    throw fault
  }
  return 'not refused'
}

const typesOf = ({ grantTypes, responseTypes }: Client) => [grantTypes, responseTypes]

describe('a new client', () => {
  it('has the defaults of RFC 7591 section 2 where it says nothing else', () => {
    const { client, secret, registrationToken } = register({ redirect_uris: [callback] })
    const { id, secretDigest, registrationDigest, salt, ...rest } = client
    assert.match(id, /^[0-9a-z]{26}$/)
    assert.match(secret ?? '', /^lk_cs_[\w-]{43}$/)
    assert.match(registrationToken ?? '', /^lk_reg_[\w-]{43}$/)
    assert.equal(secretDigest, hashText(secret ?? ''))
    assert.equal(registrationDigest, hashText(registrationToken ?? ''))
    assert.match(salt, /^[\w-]{22}$/)
    assert.deepEqual(rest, {
      name: 'Unnamed application',
      authenticationMethod: 'client_secret_basic',
      redirectUris: [callback],
      grantTypes: ['authorization_code'],
      responseTypes: ['code'],
      scope: [],
      scopeLimits: false,
      requiredScope: [],
      accessTokenSeconds: 3600,
      refreshTokenSeconds: 2592000,
      trusted: false,
      mayIntrospect: false,
      disabled: false,
      registeredBy: 'itself',
      display: {},
      openid: {},
      oldSecret: null,
      sealedSecret: null,
      identity: {},
      setByOperator: [],
      familySalt: '',
      shortened: null,
      hasEndings: false,
      createdAt: 1_795_262_400,
    })
  })

  it('has no secret where it can keep none, and no registration token where an operator made it', () => {
    const made = register(
      { redirect_uris: [callback], token_endpoint_auth_method: 'none' },
      'operator',
    )
    assert.deepEqual(
      [made.secret, made.client.secretDigest, made.registrationToken],
      [null, null, null],
    )
    assert.equal(made.client.registrationDigest, null)
  })

  it('takes an id that the operator chose, unless it has the form of a generated one (CC-02)', () => {
    assert.equal(
      register({ redirect_uris: [callback] }, 'operator', 'a.b_c-1').client.id,
      'a.b_c-1',
    )
    const generated = register({ redirect_uris: [callback] }).client.id
    for (const id of ['', 'a b', 'a:b', 'a/b', 'a~b', 'ä', 'a'.repeat(201), generated]) {
      assert.equal(
        refusalOf(() => register({ redirect_uris: [callback] }, 'operator', id)),
        'invalid_client_metadata: client_id has to be 1 to 200 letters, digits or any of ._-, unlike generated ids, or a normal https URL of at most 2048 characters',
      )
    }
  })

  it('derives grant types and response types from one another', () => {
    const of = (metadata: Metadata) =>
      typesOf(register({ redirect_uris: [callback], ...metadata }, 'operator').client)
    assert.deepEqual(of({ grant_types: ['implicit', 'refresh_token', 'authorization_code'] }), [
      ['implicit', 'refresh_token', 'authorization_code'],
      ['code', 'token'],
    ])
    assert.deepEqual(of({ response_types: ['token'] }), [['implicit'], ['token']])
    assert.deepEqual(of({ grant_types: ['client_credentials'] }), [['client_credentials'], []])
    assert.deepEqual(of({ grant_types: ['implicit', 'implicit'] }), [['implicit'], ['token']])
  })

  it('has scope separated by spaces or commas, unknown names left out', () => {
    const { client } = register({
      redirect_uris: [callback],
      scope: 'photos:read,contacts unknown',
      required_scope: 'photos',
    })
    assert.deepEqual(client.scope, ['contacts:read', 'contacts:write', 'photos:read'])
    assert.deepEqual(client.requiredScope, ['photos:read'])
  })
})

const nothingKnown =
  'invalid_client_metadata: response_types holds nothing known here: it may hold code, token, id_token, id_token token, code id_token, code token and code id_token token'

describe('unknown values of a stranger are dropped', () => {
  const of = (metadata: Metadata) => {
    const { client } = register({ redirect_uris: [callback], ...metadata })
    return typesOf(client)
  }
  const [code, refresh] = ['authorization_code', 'refresh_token']
  const rows: readonly (readonly [Metadata, readonly (readonly string[])[]])[] = [
    [{ grant_types: [code, 'urn:x:device_code', refresh] }, [[code, refresh], ['code']]],
    [{ response_types: ['code', 'code id_token none'] }, [[code], ['code']]],
    [{ grant_types: [code, 'implicit'], response_types: ['code'] }, [[code], ['code']]],
    // Nothing is left that the implicit grant would answer.
    [
      { grant_types: [code, 'implicit', refresh], response_types: ['code', 'none token'] },
      [[code, refresh], ['code']],
    ],
    [
      { grant_types: [code, 'implicit'], response_types: ['code', 'token', 'x'] },
      [
        [code, 'implicit'],
        ['code', 'token'],
      ],
    ],
  ]
  for (const [metadata, types] of rows) {
    it(JSON.stringify(metadata), () => assert.deepEqual(of(metadata), types))
  }

  it('but an operator is told', () => {
    const given = { redirect_uris: [callback], grant_types: [code, 'x'] }
    assert.equal(
      refusalOf(() => register(given, 'operator')),
      `invalid_client_metadata: grant_types may hold ${grantTypes.join(', ')}`,
    )
  })
})

describe('introspection_signed_response_alg and initiate_login_uri', () => {
  const start = 'https://client.example/begin'
  const given = { redirect_uris: [callback], introspection_signed_response_alg: 'ML-DSA-44' }

  it('are kept as they were said', () => {
    for (const by of ['itself', 'operator'] as const) {
      const { client } = register({ ...given, initiate_login_uri: start }, by)
      const { introspection_signed_response_alg: algorithm, initiate_login_uri: uri } =
        describeForOperator(client)
      assert.deepEqual([algorithm, uri], ['ML-DSA-44', start])
    }
  })

  it('are refused where they are not supported', () => {
    for (const by of ['itself', 'operator'] as const) {
      for (const [name, value, said] of [
        ['introspection_signed_response_alg', 'PS256', jwsAlgorithms.join(', ')],
        ['introspection_signed_response_alg', 'none', jwsAlgorithms.join(', ')],
        [
          'initiate_login_uri',
          'http://client.example/begin',
          'an https URL of at most 2048 characters',
        ],
        ['initiate_login_uri', 'http://127.0.0.1/begin', 'an https URL of at most 2048 characters'],
        ['initiate_login_uri', 'javascript:alert(1)', 'an https URL of at most 2048 characters'],
      ] as const) {
        const refused = refusalOf(() => register({ ...given, [name]: value }, by))
        assert.equal(refused, `invalid_client_metadata: ${name} has to be ${said}`)
      }
    }
  })
})

describe('application_type', () => {
  const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const loopback = 'http://127.0.0.1:8080/cb'
  const of = (metadata: Metadata) => {
    const { client } = register(metadata)
    return describeForOperator(client).application_type
  }
  const rows: readonly (readonly [Metadata, 'native' | 'web'])[] = [
    [{ redirect_uris: [callback] }, 'web'],
    [{ redirect_uris: [loopback] }, 'web'],
    [{ redirect_uris: [callback, cursor] }, 'native'],
    [{ redirect_uris: [cursor, loopback, callback], application_type: 'native' }, 'native'],
    [{ redirect_uris: [callback, loopback], application_type: 'web' }, 'web'],
    [{ redirect_uris: [callback], application_type: null }, 'web'],
  ]
  for (const [metadata, type] of rows) {
    it(`${JSON.stringify(metadata)}: ${type}`, () => assert.equal(of(metadata), type))
  }

  it('a web application has no private-use scheme', () => {
    const said = `invalid_redirect_uri: redirect_uris[1] '${cursor}' has a scheme for application_type native: a web application needs https, or http on a loopback address`
    const given = { redirect_uris: [callback, cursor], application_type: 'web' }
    for (const by of ['itself', 'operator'] as const) {
      assert.equal(
        refusalOf(() => register(given, by)),
        said,
      )
    }
    const web = register({ redirect_uris: [callback], application_type: 'web' }).client
    assert.equal(
      refusalOf(() => change(web, given)),
      said,
    )
    assert.equal(
      refusalOf(() => register({ redirect_uris: [callback], application_type: 'desktop' })),
      'invalid_client_metadata: application_type has to be native or web',
    )
  })
})

describe('DR-02: what is wrong is named, with what was expected', () => {
  const bad: readonly (readonly [Metadata, string])[] = [
    [
      {},
      'invalid_redirect_uri: redirect_uris has to name at least one URI for grant type authorization_code',
    ],
    [
      { grant_types: ['implicit'] },
      'invalid_redirect_uri: redirect_uris has to name at least one URI for grant type implicit',
    ],
    [
      { redirect_uris: callback },
      'invalid_redirect_uri: redirect_uris has to be a list of at most 20 URIs',
    ],
    [
      { redirect_uris: Array(21).fill(callback) },
      'invalid_redirect_uri: redirect_uris has to be a list of at most 20 URIs',
    ],
    [
      { redirect_uris: [callback, 'http://evil.example/'] },
      "invalid_redirect_uri: redirect_uris[1] 'http://evil.example/' is http but not on a loopback address",
    ],
    [
      { redirect_uris: [`${callback}#x`] },
      "invalid_redirect_uri: redirect_uris[0] 'https://app.example/callback...' has a fragment",
    ],
    [
      { redirect_uris: ['javascript:alert(1)'] },
      "invalid_redirect_uri: redirect_uris[0] 'javascript:alert(1)' has a scheme that is neither https nor private to an application",
    ],
    [
      { redirect_uris: ['https://*.example/cb'] },
      "invalid_redirect_uri: redirect_uris[0] 'https://*.example/cb' holds a character that no redirect URI may have",
    ],
    [
      { client_name: '' },
      'invalid_client_metadata: client_name has to be text of 1 to 200 characters without control characters',
    ],
    [
      { client_name: 'a\u0000b' },
      'invalid_client_metadata: client_name has to be text of 1 to 200 characters without control characters',
    ],
    [
      { client_name: 7 },
      'invalid_client_metadata: client_name has to be text of 1 to 200 characters without control characters',
    ],
    [
      { token_endpoint_auth_method: 'client_tls' },
      `invalid_client_metadata: token_endpoint_auth_method has to be ${joinNames(methodNames, 'or')}, not client_tls`,
    ],
    [{ grant_types: [] }, 'invalid_client_metadata: grant_types names no grant type'],
    [
      { grant_types: ['toString'] },
      `invalid_client_metadata: grant_types holds nothing known here: it may hold ${joinNames(grantTypes, 'and')}`,
    ],
    [
      { grant_types: 'authorization_code' },
      'invalid_client_metadata: grant_types has to be a list of grant types',
    ],
    [{ response_types: ['constructor'] }, nothingKnown],
    [{ response_types: ['code none'] }, nothingKnown],
    [
      { grant_types: ['implicit'], response_types: ['code'] },
      'invalid_client_metadata: response type code needs grant type authorization_code',
    ],
    [
      { grant_types: ['authorization_code'], response_types: [] },
      'invalid_client_metadata: grant type authorization_code needs response type code, code id_token, code token or code id_token token',
    ],
    [
      { scope: 'nothing known' },
      'invalid_client_metadata: scope names nothing that can be registered for: nothing, known; there are calendar:read, calendar:write, contacts:read, contacts:write, photos:read, photos:write',
    ],
    [{ scope: ['photos'] }, 'invalid_client_metadata: scope has to be names separated by spaces'],
    [
      { scope: 'photos:read', required_scope: 'photos:write' },
      'invalid_client_metadata: required_scope has to lie within scope',
    ],
    [
      { contacts: 'me@app.example' },
      'invalid_client_metadata: contacts has to be a list of at most 20 addresses',
    ],
    [
      { software_id: 'a\nb' },
      'invalid_client_metadata: software_id has to be text of at most 2048 characters without control characters',
    ],
    [
      { token_endpoint_auth_method: 'none', grant_types: ['client_credentials'] },
      'invalid_client_metadata: grant type client_credentials is not for a client without a secret',
    ],
  ]
  for (const [metadata, expected] of bad) {
    it(`${JSON.stringify(metadata).slice(0, 80)}`, () => {
      const needsNone =
        metadata.redirect_uris !== undefined || expected.includes('at least one URI')
      const given = needsNone ? metadata : { redirect_uris: [callback], ...metadata }
      assert.equal(
        refusalOf(() => register(given)),
        expected,
      )
    })
  }

  it('an operator is told of members that are not known', () => {
    const given = JSON.parse('{"client_nam":"x","__proto__":{},"<b>":1}')
    assert.match(
      refusalOf(() => register(given, 'operator')),
      /^invalid_client_metadata: unknown: client_nam, __proto__, \(one with an unusual name\); known: client_name, redirect_uris, /,
    )
  })
})

describe('DR-03: a client gets no more than it may say of itself', () => {
  it('members that only an operator sets are passed over, and so are unknown ones', () => {
    const plain = register({ redirect_uris: [callback], client_name: 'X' }).client
    const greedy = register(
      JSON.parse(`{
        "redirect_uris": ["${callback}"], "client_name": "X", "admin": true, "skip_consent": true,
        "trusted": true, "may_introspect": true, "access_token_seconds": null,
        "refresh_token_seconds": 1, "disabled": false, "allowed_scopes": ["*"],
        "require_pkce": false, "owner": "alice", "id": "admin", "client_id": "photo-printer",
        "client_secret": "mine", "registered_by": "operator", "registeredBy": "operator",
        "salt": "", "hasEndings": true, "secretDigest": "x",
        "__proto__": {"trusted": true}, "constructor": {"prototype": {"trusted": true}}
      }`),
    ).client
    const settled = ({ id, secretDigest, registrationDigest, salt, ...rest }: Client) => rest
    assert.deepEqual(settled(greedy), settled(plain))
    assert.notEqual(greedy.id, 'photo-printer')
    assert.notEqual(greedy.secretDigest, hashText('mine'))
  })
})

describe('DR-05: scopes and grants are limited by policy', () => {
  it('the password grant is never for a client that registered itself', () => {
    const expected =
      'invalid_client_metadata: grant type password is for clients that an operator has set trusted'
    const wish = { grant_types: ['password'], trusted: true }
    assert.equal(
      refusalOf(() => register(wish)),
      expected,
    )
    assert.equal(
      refusalOf(() => register({ grant_types: ['password'] }, 'operator')),
      expected,
    )
    assert.equal(register(wish, 'operator').client.trusted, true)
    const trusted = { ...register({ redirect_uris: [callback] }).client, trusted: true }
    assert.equal(
      refusalOf(() => change(trusted, wish)),
      expected,
    )
  })

  it('the operator resources are never for a client that registered itself', () => {
    const scope = `photos:read ${adminPermissions.join(' ')} clients owners`
    const given = { redirect_uris: [callback], scope }
    assert.deepEqual(register(given).client.scope, ['photos:read'])
    assert.deepEqual(
      register(given, 'operator').client.scope,
      [...adminPermissions, 'photos:read'].sort(),
    )
    assert.equal(
      refusalOf(() => register({ redirect_uris: [callback], scope: 'clients:write' })),
      'invalid_client_metadata: scope names nothing that can be registered for: clients:write; there are calendar:read, calendar:write, contacts:read, contacts:write, photos:read, photos:write',
    )
  })

  it('lifetimes are bounded, and unlimited only by null', () => {
    const of = (seconds: unknown) =>
      register({ redirect_uris: [callback], access_token_seconds: seconds }, 'operator').client
        .accessTokenSeconds
    assert.deepEqual(
      [of(1), of(null), of(clientLimits.lifetimeSeconds)],
      [1, null, clientLimits.lifetimeSeconds],
    )
    for (const seconds of [0, -1, 1.5, '60', clientLimits.lifetimeSeconds + 1, 1e308]) {
      assert.equal(
        refusalOf(() => of(seconds)),
        'invalid_client_metadata: access_token_seconds has to be a whole number from 1 to 315360000, or null for unlimited',
      )
    }
  })
})

describe('DR-06: what is shown to people as a link is http or https', () => {
  for (const member of ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri']) {
    it(member, () => {
      const { display } = register({
        redirect_uris: [callback],
        [member]: 'https://app.example/',
      }).client
      assert.deepEqual(display, { [member]: 'https://app.example/' })
      for (const uri of [
        'javascript:alert(1)',
        'data:text/html,x',
        'ftp://app.example/',
        '//app.example',
        ' https://app.example/',
        'https://app.example/\n',
        'java\nscript:alert(1)',
        'https://bank.example@app.example/',
        `https://app.example/${'a'.repeat(2048)}`,
        'https://',
      ]) {
        assert.equal(
          refusalOf(() => register({ redirect_uris: [callback], [member]: uri })),
          `invalid_client_metadata: ${member} has to be an http or https URL of at most 2048 characters`,
        )
      }
    })
  }
})

describe('DR-12: names are normalised and short', () => {
  const named = (client_name: string) =>
    register({ redirect_uris: [callback], client_name }).client.name
  it('composed, without blanks around, at most 200 characters', () => {
    assert.equal(named('  Cafe\u0301 '), 'Café')
    assert.equal(named('n'.repeat(200)), 'n'.repeat(200))
    assert.match(
      refusalOf(() => named('n'.repeat(201))),
      /^invalid_client_metadata: client_name has to be/,
    )
    assert.match(
      refusalOf(() => named('\ud800')),
      /^invalid_client_metadata: client_name has to be/,
    )
  })
})

describe('a change', () => {
  const printer = register(
    {
      client_name: 'Printer',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'photos',
      logo_uri: 'https://app.example/logo.png',
    },
    'operator',
  ).client

  it('of an operator holds only what differs', () => {
    const given = { client_name: 'Printer', trusted: true, access_token_seconds: null }
    assert.deepEqual(change(printer, given, 'operator'), {
      change: { trusted: true, accessTokenSeconds: null },
      secret: null,
    })
    assert.deepEqual(change(printer, { logo_uri: null }, 'operator').change, { display: {} })
    assert.deepEqual(change(printer, { response_types: [] }, 'operator').change, {
      grantTypes: ['client_credentials'],
      responseTypes: [],
    })
  })

  it('of an operator may add redirect URIs to whatever there will be by then', () => {
    const added = (given: Metadata, client = printer) => change(client, given, 'operator').change
    const other = 'https://other.example/'
    assert.deepEqual(added({ add_redirect_uris: [other, other] }), { addedRedirectUris: [other] })
    assert.deepEqual(added({ add_redirect_uris: [callback] }), {})
    assert.deepEqual(added({ redirect_uris: [other], add_redirect_uris: [callback] }), {
      redirectUris: [other, callback],
    })
    const machine = register({ grant_types: ['client_credentials'] }, 'operator').client
    const grant_types = ['client_credentials', 'authorization_code']
    assert.deepEqual(added({ grant_types, add_redirect_uris: [other] }, machine), {
      grantTypes: grant_types,
      responseTypes: ['code'],
      addedRedirectUris: [other],
    })
    for (const [add_redirect_uris, said] of [
      [other, 'add_redirect_uris has to be a list of at most 20 URIs'],
      [
        [other, 'http://a.example/'],
        "add_redirect_uris[1] 'http://a.example/' is http but not on a loopback address",
      ],
      [
        Array.from({ length: 20 }, (_, at) => `${other}${at}`),
        'add_redirect_uris: a client has at most 20 redirect URIs',
      ],
    ] as const) {
      assert.equal(
        refusalOf(() => added({ add_redirect_uris })),
        `invalid_redirect_uri: ${said}`,
      )
    }
    const given = { redirect_uris: [callback], add_redirect_uris: [other] }
    assert.match(
      refusalOf(() => register(given, 'operator')),
      /unknown: add_redirect_uris/,
    )
    assert.deepEqual(change(printer, given).change.redirectUris, undefined)
  })

  it('of a client says everything anew, but for the limit and what the operator set', () => {
    const own = { ...register({ ...describeForOperator(printer) }).client }
    assert.deepEqual(change(own, { redirect_uris: [callback] }).change.scope, [])
    const operated = {
      ...own,
      scopeLimits: true,
      accessTokenSeconds: 60,
      mayIntrospect: true,
      trusted: true,
    }
    const after = { ...operated, ...change(operated, { redirect_uris: [callback] }).change }
    assert.deepEqual(describeForOperator(after), {
      client_id: own.id,
      client_id_issued_at: own.createdAt,
      client_name: 'Unnamed application',
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: own.scope.join(' '),
      required_scope: '',
      access_token_seconds: 60,
      refresh_token_seconds: 2592000,
      trusted: true,
      may_introspect: true,
      disabled: false,
      old_secret_expires_at: null,
      registered_by: 'itself',
      set_by_operator: [],
      manages_itself: true,
      application_type: 'web',
    })
  })

  it('DR-09: is judged by the state it leads to', () => {
    assert.equal(
      refusalOf(() => change(printer, { token_endpoint_auth_method: 'none' }, 'operator')),
      'invalid_client_metadata: grant type client_credentials is not for a client without a secret',
    )
    assert.equal(
      refusalOf(() => change(printer, { redirect_uris: [] }, 'operator')),
      'invalid_redirect_uri: redirect_uris has to name at least one URI for grant type authorization_code',
    )
    const needing = { ...printer, requiredScope: printer.scope }
    assert.equal(
      refusalOf(() => change(needing, { scope: 'photos:read' }, 'operator')),
      'invalid_client_metadata: required_scope has to lie within scope',
    )
    const house = register({ grant_types: ['password'], trusted: true }, 'operator').client
    assert.equal(
      refusalOf(() => change(house, { trusted: false }, 'operator')),
      'invalid_client_metadata: grant type password is for clients that an operator has set trusted',
    )
  })

  it('DR-09: makes a secret where there was none, and ends it where none can be kept', () => {
    const open = register({ redirect_uris: [callback], token_endpoint_auth_method: 'none' }).client
    const method = 'client_secret_post'
    const closing = change(open, { redirect_uris: [callback], token_endpoint_auth_method: method })
    assert.match(closing.secret ?? '', /^lk_cs_/)
    assert.deepEqual(closing.change, {
      authenticationMethod: method,
      secretDigest: hashText(closing.secret ?? ''),
      sealedSecret: null,
    })
    const own = register({ redirect_uris: [callback] }).client
    const opening = change(own, { redirect_uris: [callback], token_endpoint_auth_method: 'none' })
    assert.deepEqual(opening, {
      change: { authenticationMethod: 'none', secretDigest: null, sealedSecret: null },
      secret: null,
    })
  })

  it('leaves alone what a resource that is gone has left behind', () => {
    const left = {
      ...printer,
      scope: ['attic:read'] as const,
      requiredScope: ['attic:read'] as const,
    }
    assert.deepEqual(change(left, { disabled: true }, 'operator').change, { disabled: true })
  })
})

describe('H-13: hostile lengths', () => {
  it('cost next to nothing', () => {
    const began = cpuMilliseconds()
    for (const character of ['a', '-', '%', '@', ' ', ',', '\u0301']) {
      const long = character.repeat(64 * 1024)
      const members = ['client_name', 'scope', 'required_scope', 'logo_uri', 'software_id']
      for (const member of members) {
        assert.match(
          refusalOf(() => register({ redirect_uris: [callback], [member]: long })),
          /^invalid_client_metadata: /,
        )
      }
      assert.match(
        refusalOf(() => register({ redirect_uris: [`https://${long}`] })),
        /^invalid_redirect_uri: /,
      )
    }
    assert.ok(cpuMilliseconds() - began < 1000)
  })
})
