/** The walls of the house: what may be named in one place only. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lineOf, type Source, sourceOf, sources } from './source.ts'

interface Wall {
  readonly what: string
  readonly pattern: RegExp
  /** Whether it is looked for in strings too, or in code alone. */
  readonly within: 'spoken' | 'code'
  /** Files and folders, which end with a slash. */
  readonly onlyIn: readonly string[]
}

const clock =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\.now\b|\bprocess\.hrtime\b/g

const walls: readonly Wall[] = [
  {
    what: 'SQL',
    pattern:
      /\b(insert\s+into|delete\s+from|create\s+(unique\s+)?(table|index)|update\s+\w+\s+set|select\s[^;]*?\sfrom\s+\w+|pragma\s+\w+)\b/gi,
    within: 'spoken',
    onlyIn: [
      'store/records/',
      'store/schema/',
      'store/engines/',
      'store/sql/',
      'store/transfer/',
      'features/*/record.ts',
      'features/*/group-record.ts',
      'features/*/ending.ts',
      'features/*/redeem.ts',
    ],
  },
  {
    what: 'node:sqlite',
    pattern: /['"]node:sqlite['"]/g,
    within: 'spoken',
    onlyIn: ['store/engines/'],
  },
  {
    what: 'the inside of the store',
    pattern: /['"][./]+\/store\/(sql|engines|records|schema|transfer|cache)\//g,
    within: 'spoken',
    onlyIn: [
      'server.ts',
      'cli/',
      'features/*/record.ts',
      'features/*/group-record.ts',
      'features/*/ending.ts',
      'features/*/redeem.ts',
    ],
  },
  {
    what: 'node:http',
    pattern: /['"]node:(http|https|http2)['"]/g,
    within: 'spoken',
    onlyIn: [
      'http/listen.ts',
      'http/incoming.ts',
      'http/connections.ts',
      'http/outbound-exchange.ts',
    ],
  },
  {
    what: 'a client lookup of its own',
    pattern: /\bstore\.findClient\(/g,
    within: 'code',
    // `events` stands below `clients`.
    onlyIn: ['clients/find.ts', 'clients/authenticate.ts', 'events/monitoring.ts', 'store/'],
  },
  { what: 'nodemailer', pattern: /['"]nodemailer/g, within: 'spoken', onlyIn: ['mail/smtp.ts'] },
  { what: 'ldapts', pattern: /['"]ldapts/g, within: 'spoken', onlyIn: ['upstreams/directory.ts'] },
  { what: 'node:dns', pattern: /['"]node:dns/g, within: 'spoken', onlyIn: ['http/reach.ts'] },
  {
    // The wing and the command line ask the service that their caller names. What others name goes
    // through the guard.
    what: 'an unguarded fetch',
    pattern: /(?<![.\w])fetch(?=\((?!request\b)|$)/gm,
    within: 'code',
    onlyIn: ['resource/', 'cli/'],
  },
  {
    what: 'sockets',
    pattern:
      /import\s*\{[^}]*\b(createServer|createConnection|connect)\b[^}]*\}\s*from\s*['"]node:net['"]/g,
    within: 'spoken',
    onlyIn: ['cli/control-socket.ts', 'upstreams/directory-sockets.ts'],
  },
  {
    what: 'node:crypto',
    pattern: /['"]node:crypto['"]|\bcrypto\.(subtle|randomUUID|getRandomValues)\b/g,
    within: 'spoken',
    onlyIn: ['crypto/'],
  },
  { what: 'process.env', pattern: /\bprocess\.env\b/g, within: 'code', onlyIn: ['config/'] },
  {
    what: 'clock or randomness',
    pattern: clock,
    within: 'code',
    // Other people's programs pass no clock to the guard.
    onlyIn: ['clock.ts', 'server.ts', 'cli/', 'resource/options.ts'],
  },
  {
    what: 'console',
    pattern: /\bconsole\.|\bprocess\.(stdout|stderr)\b/g,
    within: 'code',
    onlyIn: ['cli/', 'resource/options.ts'],
  },
]

/** `*` is a folder. */
const isWithin = (path: string, place: string): boolean => {
  if (place.includes('*')) return new RegExp(`^${place.replace('*', '[^/]+')}$`).test(path)
  return place.endsWith('/') ? path.startsWith(place) : path === place
}

const faultsOf = (files: readonly Source[]): readonly string[] =>
  files.flatMap((file) =>
    walls
      .filter(({ onlyIn }) => !onlyIn.some((place) => isWithin(file.path, place)))
      .flatMap(({ what, pattern, within }) =>
        [...file[within].matchAll(pattern)].map(
          (match) => `${file.path}:${lineOf(file.text, match.index)} names ${what}`,
        ),
      ),
  )

describe('the walls', () => {
  it('are kept by every file', () => {
    assert.deepEqual(faultsOf(sources), [])
  })

  it('make exceptions only for files that need them', () => {
    const needless = walls.flatMap(({ what, pattern, within, onlyIn }) =>
      onlyIn
        .filter((place) => {
          const files = sources.filter(({ path }) => isWithin(path, place))
          return !files.some((file) => [...file[within].matchAll(pattern)].length > 0)
        })
        .map((place) => `${place} does not name ${what}`),
    )
    assert.deepEqual(needless, [])
  })

  it('would find what breaks them', () => {
    const planted = [
      sourceOf('tokens/a.ts', "const rows = db.all('select id from family')"),
      sourceOf('tokens/b.ts', "import { DatabaseSync } from 'node:sqlite'"),
      sourceOf('tokens/c.ts', "import { open } from '../store/engines/open.ts'"),
      sourceOf('rooms/e.ts', "import { createServer } from 'node:http'"),
      sourceOf('rooms/s.ts', "import { connect, isIP } from 'node:net'"),
      sourceOf('http/fine.ts', "import { isIP } from 'node:net'"),
      sourceOf('http/request.ts', "const { request } = process.getBuiltinModule('node:https')"),
      sourceOf('clients/names.ts', "import { lookup } from 'node:dns/promises'"),
      sourceOf('grants/own.ts', 'const client = await parts.store.findClient(id)'),
      sourceOf('clients/asks.ts', 'const answer = await fetch(client.logoUri)'),
      sourceOf('tokens/f.ts', "\nimport { randomBytes } from 'node:crypto'"),
      sourceOf('tokens/g.ts', 'const id = crypto.randomUUID()'),
      sourceOf('http/h.ts', 'const port = process.env.PORT'),
      sourceOf('tokens/i.ts', 'const now = Date.now()'),
      sourceOf('tokens/j.ts', 'const day = new Date()'),
      sourceOf('tokens/k.ts', "console.log('x')"),
      sourceOf(
        'tokens/fine.ts',
        "// process.env, Date.now()\nconst at = new Date(seconds * 1000), words = 'Date.now, console.log'",
      ),
      sourceOf('store/engines/fine.ts', "import 'node:sqlite'\nconst all = 'select 1 from client'"),
    ]
    assert.deepEqual(faultsOf(planted), [
      'tokens/a.ts:1 names SQL',
      'tokens/b.ts:1 names node:sqlite',
      'tokens/c.ts:1 names the inside of the store',
      'rooms/e.ts:1 names node:http',
      'rooms/s.ts:1 names sockets',
      'http/request.ts:1 names node:http',
      'clients/names.ts:1 names node:dns',
      'grants/own.ts:1 names a client lookup of its own',
      'clients/asks.ts:1 names an unguarded fetch',
      'tokens/f.ts:2 names node:crypto',
      'tokens/g.ts:1 names node:crypto',
      'http/h.ts:1 names process.env',
      'tokens/i.ts:1 names clock or randomness',
      'tokens/j.ts:1 names clock or randomness',
      'tokens/k.ts:1 names console',
    ])
  })
})
