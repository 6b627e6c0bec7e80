/** Loading the settings: sources, their order, and every fault in one answer. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { getIssuer, loadSettings, SettingsFault } from '../../../src/config/load.ts'
import { defaultResources } from '../../../src/config/resources.ts'
import type { Sources } from '../../../src/config/sources.ts'

const cwd = mkdtempSync(join(tmpdir(), 'latchkey-config-'))
after(() => rmSync(cwd, { recursive: true }))

/** Writes a file into the working directory and says what it is called. */
const written = (name: string, content: unknown): string => {
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

const load = (sources: Sources) => loadSettings({ env: {}, cwd, ...sources })

const faultsOf = (sources: Sources): readonly string[] => {
  try {
    load(sources)
  } catch (fault) {
    assert.ok(fault instanceof SettingsFault)
    return fault.faults
  }
  return []
}

describe('the settings', () => {
  it('are all there when nothing is set', () => {
    assert.deepEqual(load({}), {
      port: 6749,
      host: '127.0.0.1',
      issuer: 'http://127.0.0.1:6749',
      store: 'sqlite:./data/latchkey.db',
      cacheMegabytes: 22,
      demo: true,
      secret: null,
      registration: 'open',
      registrationsPerNetwork: 60,
      registrationsInTotal: 100_000,
      requirePar: false,
      previousSecret: null,
      registrationToken: null,
      signUp: 'open',
      smtp: null,
      mailFrom: null,
      hosts: [],
      trustedProxies: [],
      clientCa: [],
      mtlsUrl: null,
      profile: 'spec',
      dpopNonce: 'optional',
      fetchAllow: [],
      errorUri: null,
      accessTokenSeconds: 3600,
      refreshTokenSeconds: 2592000,
      sessionSeconds: 43200,
      passwordCharacters: 8,
      eventSeconds: 34_560_000,
      accessLogSeconds: 2_592_000,
      pauseUnusedDays: 0,
      keyRotationDays: 90,
      deletionDays: 14,
      issuers: [],
      upstreams: [],
      defaultDuration: 'forever',
      metrics: 'loopback',
      webhooks: [],
      metricsToken: null,
      logLevel: 'info',
      resources: defaultResources,
      claims: [],
      securityContact: null,
      operatorName: { en: 'Latchkey' },
      languages: [],
      logo: null,
      accentColor: '#0b6352',
      accentColorDark: '#6fd6bd',
      look: { radius: 8, font: [] },
      loginText: null,
      helpUrl: null,
      privacyUrl: null,
      termsUrl: null,
      limits: {
        networkFreeTries: 50,
        resetLinkSeconds: 1800,
        inviteLinkSeconds: 604_800,
        pushedRequestSeconds: 60,
        keepAliveSeconds: 60,
        postgresConnections: 10,
        refusalsPerMinute: 1000,
        itemsPerResource: 100_000,
        codeSeconds: 60,
        refreshRetrySeconds: 30,
        fetchesPerHost: 4,
        deviceCodeSeconds: 600,
        deviceIntervalSeconds: 5,
        backchannelRequestSeconds: 300,
      },
      origins: {},
      gone: [],
    })
  })

  it('come from the file, over it the environment, over that the flags', () => {
    const config = written('order.json', { port: 1, accessTokenSeconds: 1, sessionSeconds: 1 })
    const env = { PORT: '2', LATCHKEY_ACCESS_TOKEN_SECONDS: '2' }
    const settings = load({ env, flags: { config, port: '3' } })
    assert.deepEqual(
      [settings.port, settings.accessTokenSeconds, settings.sessionSeconds],
      [3, 2, 1],
    )
  })

  it('are read from latchkey.config.json in the working directory', () => {
    const directory = mkdtempSync(join(cwd, 'here-'))
    writeFileSync(join(directory, 'latchkey.config.json'), '{"port":7000}')
    assert.equal(load({ cwd: directory }).port, 7000)
  })

  it('take an empty variable for one that is not set', () => {
    assert.equal(load({ env: { PORT: '', LATCHKEY_SECRET: '' } }).port, 6749)
  })

  it('begin error_uri with what is set, to which a code can be added', () => {
    const errorUriOf = (LATCHKEY_ERROR_URI: string) =>
      load({ env: { LATCHKEY_ERROR_URI } }).errorUri
    assert.equal(errorUriOf('https://docs.example/errors'), 'https://docs.example/errors/')
    for (const whole of [
      'https://docs.example/e/',
      'https://a.example/#',
      'https://a.example/?e=',
    ]) {
      assert.equal(errorUriOf(whole), whole)
    }
  })

  it('take lists of proxies as text and as JSON', () => {
    const env = { LATCHKEY_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }
    const config = written('proxies.json', { trustedProxies: ['10.0.0.0/8', '::1'] })
    assert.deepEqual(load({ env }).trustedProxies, ['10.0.0.0/8', '::1'])
    assert.deepEqual(load({ flags: { config } }).trustedProxies, ['10.0.0.0/8', '::1'])
  })

  it('take the resources of the file', () => {
    const notes = { name: 'notes', title: 'Notes', read: 'See notes', write: 'Change notes' }
    const config = written('resources.json', { resources: [notes] })
    const everywhere = (text: string) => ({ en: text })
    assert.deepEqual(load({ flags: { config } }).resources, [
      {
        name: 'notes',
        title: everywhere('Notes'),
        read: everywhere('See notes'),
        write: everywhere('Change notes'),
        actions: {},
        details: {},
        destructive: [],
        uri: null,
        accessTokenFormat: 'opaque',
        introspectionClients: [],
      },
    ])
  })

  it('take the words of a resource per language, of those that there are', () => {
    const title = { fr: 'Notes', 'zh-Hant': '筆記' }
    const notes = { name: 'notes', title, read: { en: 'See notes' }, write: 'Change notes' }
    const config = written('resources.json', { resources: [notes] })
    const [taken] = load({ flags: { config } }).resources
    assert.deepEqual([taken?.title, taken?.read], [title, { en: 'See notes' }])
  })

  it('take secrets from files of their own', () => {
    const path = written('secret.txt', 'a-secret-of-at-least-32-characters\n')
    const config = written('secret.json', { secretFile: path })
    const expected = 'a-secret-of-at-least-32-characters'
    assert.equal(load({ env: { LATCHKEY_SECRET_FILE: path } }).secret, expected)
    assert.equal(load({ flags: { config } }).secret, expected)
  })

  it('leave alone what Kubernetes and the tests set', () => {
    const env = {
      LATCHKEY_SERVICE_HOST: '10.0.0.7',
      LATCHKEY_SERVICE_PORT_HTTP: '80',
      LATCHKEY_PORT: 'tcp://10.0.0.7:80',
      LATCHKEY_PORT_80_TCP_ADDR: '10.0.0.7',
      LATCHKEY_TEST_POSTGRES: 'postgres://localhost/test',
    }
    assert.deepEqual(faultsOf({ env }), [])
  })
})

describe('the issuer', () => {
  const issuers = [
    { env: { PORT: '8080' }, issuer: 'http://127.0.0.1:8080', demo: true },
    { env: { HOST: '::1' }, issuer: 'http://[::1]:6749', demo: true },
    { env: { HOST: 'localhost', PORT: '80' }, issuer: 'http://localhost', demo: true },
    { env: { LATCHKEY_ISSUER: 'https://a.example' }, issuer: 'https://a.example', demo: false },
    { env: { LATCHKEY_ISSUER: 'https://a.example/x' }, issuer: 'https://a.example/x', demo: false },
    { env: { LATCHKEY_ISSUER: 'https://127.0.0.1' }, issuer: 'https://127.0.0.1', demo: false },
    {
      env: { LATCHKEY_ISSUER: 'http://localhost:1', LATCHKEY_DEMO: '0' },
      issuer: 'http://localhost:1',
      demo: false,
    },
  ]
  for (const { env, issuer, demo } of issuers) {
    it(`is ${issuer} for ${JSON.stringify(env)}`, () => {
      const settings = load({ env })
      assert.deepEqual([settings.issuer, settings.demo], [issuer, demo])
    })
  }

  it('follows the port that was free, unless it was set', () => {
    const derived = load({ env: { PORT: '0' } })
    const set = load({ env: { PORT: '0', LATCHKEY_ISSUER: 'https://a.example' } })
    assert.deepEqual(
      [derived.issuer, getIssuer(derived, 4321), getIssuer(set, 4321)],
      ['http://127.0.0.1:0', 'http://127.0.0.1:4321', 'https://a.example'],
    )
  })
})

describe('the faults', () => {
  it('are reported all together', () => {
    const config = written('faults.json', { prot: 1, sessionSeconds: 'long', secrets: 'x' })
    const env = { PORT: '70000', LATCHKEY_DEMOS: '1', LATCHKEY_LOG_LEVEL: 'loud' }
    assert.deepEqual(faultsOf({ env, flags: { config, host: 'a b' } }), [
      'faults.json has an unknown key "prot"; did you mean port?',
      'faults.json has an unknown key "secrets"; did you mean secret?',
      'LATCHKEY_DEMOS is not a setting; did you mean LATCHKEY_DEMO?',
      'PORT must be a whole number from 0 to 65535, not "70000"',
      '--host must be an IP address or a host name, not "a b"',
      '"sessionSeconds" in faults.json must be a whole number from 1 to 315360000, not "long"',
      'LATCHKEY_LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud"',
    ])
  })

  const store = 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
  const url = 'a URL such as https://auth.example.com'
  const single: readonly (readonly [string, string, string])[] = [
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535, not "1e3"'],
    ['HOST', '999.1.1.1', 'HOST must be an IP address or a host name, not "999.1.1.1"'],
    ['HOST', '1.2.3.4.5', 'HOST must be an IP address or a host name, not "1.2.3.4.5"'],
    ['LATCHKEY_PORT', '80', 'LATCHKEY_PORT is not a setting; did you mean PORT?'],
    ['LATCHKEY_ISSUER', 'a.example', `LATCHKEY_ISSUER must be ${url}, not "a.example"`],
    ['LATCHKEY_ISSUER', 'ftp://a.example', `LATCHKEY_ISSUER must be ${url}, not "ftp://a.example"`],
    [
      'LATCHKEY_ISSUER',
      'http://a.example',
      'LATCHKEY_ISSUER must be an https URL, since its host is not a loopback address, not "http://a.example"',
    ],
    [
      'LATCHKEY_ISSUER',
      'https://a.example/',
      `LATCHKEY_ISSUER must be ${url}, without a slash at the end, not "https://a.example/"`,
    ],
    [
      'LATCHKEY_ISSUER',
      'https://a.example?',
      `LATCHKEY_ISSUER must be ${url}, without query or fragment, not "https://a.example?"`,
    ],
    [
      'LATCHKEY_ISSUER',
      'https://a:hush@a.example',
      `LATCHKEY_ISSUER must be ${url}, without a user`,
    ],
    [
      'LATCHKEY_ISSUER',
      'http://127.0.0.1:0',
      `LATCHKEY_ISSUER must be ${url}, with the port that clients use, not "http://127.0.0.1:0"`,
    ],
    [
      'LATCHKEY_ISSUER',
      'https://A.example:443',
      'LATCHKEY_ISSUER must be written as https://a.example, not "https://A.example:443"',
    ],
    ['LATCHKEY_STORE', 'mysql://a:hush@b', `LATCHKEY_STORE must be ${store}`],
    ['LATCHKEY_STORE', 'sqlite:', `LATCHKEY_STORE must be ${store}`],
    ['LATCHKEY_STORE', 'postgres://a:hush@b', `LATCHKEY_STORE must be ${store}`],
    ['LATCHKEY_STORE', 'postgres://a:hush@b:x/c', `LATCHKEY_STORE must be ${store}`],
    [
      'LATCHKEY_SECRET',
      'hush',
      'LATCHKEY_SECRET must be at least 32 characters, such as openssl rand -base64 32 gives',
    ],
    [
      'LATCHKEY_REGISTRATION_TOKEN',
      'hush hush hush hush',
      'LATCHKEY_REGISTRATION_TOKEN must be at least 16 letters, digits or any of ._~+/-, as a bearer token is written',
    ],
    [
      'LATCHKEY_SECRET_FILE',
      'nowhere.txt',
      'LATCHKEY_SECRET_FILE must be the path of a file that can be read',
    ],
    [
      'LATCHKEY_ERROR_URI',
      'javascript:alert(1)',
      'LATCHKEY_ERROR_URI must be an https URL (or an http one on a loopback address), not "javascript:alert(1)"',
    ],
    ['LATCHKEY_DEMO', 'yes', 'LATCHKEY_DEMO must be 1 or 0, not "yes"'],
    [
      'LATCHKEY_TRUSTED_PROXIES',
      '10.0.0.0/33',
      'LATCHKEY_TRUSTED_PROXIES must be IP addresses or ranges such as 10.0.0.0/8, separated by commas, not "10.0.0.0/33"',
    ],
    [
      'HOST',
      '0.0.0.0',
      'LATCHKEY_ISSUER must be set, to the https URL by which clients reach the service, since HOST 0.0.0.0 is not a loopback address',
    ],
  ]
  for (const [name, value, fault] of single) {
    it(`say what is wrong with ${name}=${value}`, () => {
      assert.deepEqual(faultsOf({ env: { [name]: value } }), [fault])
    })
  }

  it('refuse demo data for others than this machine', () => {
    const env = { LATCHKEY_ISSUER: 'https://a.example', LATCHKEY_DEMO: '1' }
    assert.deepEqual(faultsOf({ env }), [
      'LATCHKEY_DEMO must be 0 unless the issuer is loopback http, and https://a.example is not',
    ])
  })

  const here = (name: string, value: string) =>
    `${name} where the demo is on, since everybody knows its passwords, not "${value}": LATCHKEY_DEMO=0 turns the demo off`

  it('let strangers register in the demo only, unless it is said otherwise', () => {
    const https = { LATCHKEY_ISSUER: 'https://a.example' }
    const mode = (env: Readonly<Record<string, string>>) => load({ env }).registration
    assert.equal(mode(https), 'token')
    for (const given of ['token', 'open', 'off']) {
      assert.equal(mode({ ...https, LATCHKEY_REGISTRATION: given }), given)
      assert.equal(mode({ LATCHKEY_REGISTRATION: given }), given)
    }
    assert.deepEqual(faultsOf({ env: { LATCHKEY_REGISTRATION: 'on' } }), [
      'LATCHKEY_REGISTRATION must be one of token, open, off, not "on"',
    ])
  })

  it('refuse to show the demo to other machines', () => {
    const issuer = { LATCHKEY_ISSUER: 'http://127.0.0.1:6749' }
    const loopback = 'HOST must be a loopback address such as 127.0.0.1'
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'localhost.example']) {
      assert.deepEqual(faultsOf({ env: { ...issuer, HOST } }), [here(loopback, HOST)])
      assert.deepEqual(faultsOf({ env: { ...issuer, HOST, LATCHKEY_DEMO: '1' } }), [
        here(loopback, HOST),
      ])
      assert.equal(load({ env: { ...issuer, HOST, LATCHKEY_DEMO: '0' } }).host, HOST)
    }
    const named = faultsOf({ env: { LATCHKEY_HOSTS: 'localhost, demo.example' } })
    assert.deepEqual(named, [here('LATCHKEY_HOSTS must be empty', 'demo.example')])
  })

  it('take host names as browsers send them', () => {
    const env = { LATCHKEY_ISSUER: 'https://a.example' }
    const hosts = (LATCHKEY_HOSTS: string) => load({ env: { ...env, LATCHKEY_HOSTS } }).hosts
    assert.deepEqual(hosts('Auth.Internal, 10.0.0.7 [2001:DB8::7]'), [
      'auth.internal',
      '10.0.0.7',
      '[2001:db8::7]',
    ])
    const form = 'host names such as auth.internal, without port, separated by commas'
    for (const wrong of [
      'a.example:443',
      'https://a.example',
      'a/b',
      '*.example',
      '[::1',
      '999.9.9.9',
    ]) {
      assert.deepEqual(faultsOf({ env: { ...env, LATCHKEY_HOSTS: wrong } }), [
        `LATCHKEY_HOSTS must be ${form}, not "${wrong}"`,
      ])
    }
  })

  it('refuse a secret that is given twice', () => {
    const env = { LATCHKEY_SECRET: 'hush', LATCHKEY_SECRET_FILE: 'hush.txt' }
    assert.deepEqual(faultsOf({ env }), [
      'LATCHKEY_SECRET and LATCHKEY_SECRET_FILE are both set; keep one of them',
    ])
  })

  it('never show a secret that lies in a broken file', () => {
    const config = written('broken.json', '{\n  "secret": "hush-hush-hush" oops\n}')
    assert.deepEqual(faultsOf({ flags: { config } }), ['broken.json is not valid JSON: see line 2'])
  })

  it('tell of a configuration file that was asked for and is not there, or is no object', () => {
    const list = written('list.json', [])
    assert.deepEqual(faultsOf({ flags: { config: 'nowhere.json' } }), [
      'nowhere.json cannot be read',
    ])
    assert.deepEqual(faultsOf({ flags: { config: list } }), ['list.json must hold one JSON object'])
  })

  const words = { title: 'Notes', read: 'See notes', write: 'Change notes' }
  const resources: readonly (readonly [unknown, string])[] = [
    [
      'photos',
      'a list of at most 40 objects with "name", "title", "read" and "write", not "photos"',
    ],
    [
      [{ ...words, name: 'My notes' }],
      'a list of resources, but entry 1 needs a "name" of at most 40 lower-case letters, digits and "-"',
    ],
    [
      [{ ...words, name: 'clients' }],
      'a list of resources, but entry 1 has a "name" that the admin API uses',
    ],
    ...['openid', 'profile', 'email', 'address', 'phone', 'offline_access'].map(
      (name): [unknown, string] => [
        [
          { ...words, name: 'notes' },
          { ...words, name },
        ],
        `a list of resources, but entry 2 has the "name" "${name}", which is a reserved word of a scope`,
      ],
    ),
    [
      [{ ...words, name: 'notes', read: '' }],
      'a list of resources, but entry 1 needs words for "read": a text, or an object with one per language, such as {"en": "..."}',
    ],
    ...[{}, { en: 'Notes', De: 'Notizen' }, { english: 'Notes' }, { en: ' ' }, ['Notes'], 1].map(
      (title): [unknown, string] => [
        [{ ...words, name: 'notes', title }],
        'a list of resources, but entry 1 needs words for "title": a text, or an object with one per language, such as {"en": "..."}',
      ],
    ),
    [
      [{ ...words, name: 'notes', more: 1 }],
      'a list of resources, but entry 1 has an unknown key "more"',
    ],
    [
      [
        { ...words, name: 'notes' },
        { ...words, name: 'notes' },
      ],
      'a list of resources, but "notes" is there twice',
    ],
  ]
  for (const [given, expected] of resources) {
    it(`say of ${JSON.stringify(given)}: ${expected}`, () => {
      const config = written('wrong-resources.json', { resources: given })
      const [fault = ''] = faultsOf({ flags: { config } })
      const full = `"resources" in wrong-resources.json must be ${expected}`
      assert.equal(fault.slice(0, full.length), full)
    })
  }
})
