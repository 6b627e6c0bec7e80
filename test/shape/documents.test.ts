/** The code in the documents: TypeScript compiles under `strict`, JSON parses, shell commands parse. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Block, blocksOf } from './blocks.ts'
import { root } from './source.ts'
import { run, runTool } from './tool.ts'

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => join(root, name)),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name)),
]

const blocks = pages.flatMap((path) => blocksOf(relative(root, path), readFileSync(path, 'utf8')))
const inLanguage = (...names: readonly string[]): readonly Block[] =>
  blocks.filter(({ language }) => names.includes(language))

/** The folder lies in the checkout, so that the compiler finds the installed types. */
const place = join(root, '.cache', `documents-${process.pid}`)

/** As a user's project is set up: strict, and with the package by its name. */
const configuration = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noUnusedLocals: false,
    paths: {
      latchkey: [join(root, 'src/index.ts')],
      'latchkey/resource': [join(root, 'src/resource/index.ts')],
      'latchkey/resource/*': [join(root, 'src/resource/*.ts')],
      'latchkey/store': [join(root, 'src/store/index.ts')],
      'latchkey/store/contract': [join(root, 'test/store/contract.ts')],
    },
  },
  include: ['.'],
}

/** Each page has a folder of its own, so that blocks of one page can import one another. */
const writeBlock = ({ place: where, name, text }: Block): void => {
  const [page = '', number = ''] = where.split('#')
  const file = join(place, page, name ?? `block-${number}.ts`)
  mkdirSync(dirname(file), { recursive: true })
  // A file without an import would share its names with all others.
  writeFileSync(file, `${text}\nexport {}\n`)
}

const compile = async (written: readonly Block[]): Promise<string> => {
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(configuration))
  for (const block of written) writeBlock(block)
  const { output } = await runTool(
    'typescript/bin/tsc',
    '--singleThreaded',
    '--noEmit',
    '-p',
    place,
  )
  return output
}

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, '')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Links of a page that lead nowhere. */
const brokenLinks = (page: string, text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => {
      const [path = '', anchor] = link.split('#')
      if (/^[a-z]+:/.test(link)) return false
      const target = path === '' ? page : join(dirname(page), path)
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
    })

const textsBesideDecisions = [...pages, join(root, 'packages/resource/README.md')]
  .filter((path) => !path.includes('/decisions/'))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))

describe('what the documents install and run', () => {
  it('is never what others may have registered under our names', () => {
    const foreign =
      /npx (?:-y )?latchkey|npm:latchkey|npm install (?:\S+ )*latchkey(?![@-]?\S*\.tgz)/
    const found = textsBesideDecisions.filter(({ text }) => foreign.test(text))
    assert.deepEqual(
      found.map(({ path }) => path),
      [],
    )
  })

  it('comes from the source before a page imports it', () => {
    const importing = textsBesideDecisions.filter(({ text }) => / from 'latchkey[/']/.test(text))
    assert.ok(importing.length > 6)
    for (const { path, text } of importing) {
      const before = text.slice(0, text.search(/ from 'latchkey[/']/))
      assert.match(before, /^npm pack/m, path)
      if (path.startsWith('docs/')) assert.equal(/^## (.*)$/m.exec(text)?.[1], 'Install', path)
      assert.match(before, /Node 2\d (or|and) later/, path)
    }
  })

  it('fits together: no two pages to follow declare one resource', () => {
    const declared = ['docs/express.md', 'docs/mcp.md'].flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      return [...text.matchAll(/resource add (\w+)|POST resources '\{\s*"name": "(\w+)"/g)].map(
        ([, command, body]) => command ?? body,
      )
    })
    assert.deepEqual(declared, ['memos', 'notes'])
  })
})

describe('the links in the documents', () => {
  for (const page of pages) {
    it(`of ${relative(root, page)} lead somewhere`, () => {
      assert.deepEqual(brokenLinks(page, readFileSync(page, 'utf8')), [])
    })
  }

  it('lead from docs/README.md to every page', () => {
    const list = readFileSync(join(root, 'docs/README.md'), 'utf8')
    const names = readdirSync(join(root, 'docs')).filter((name) => /(?<!README)\.md$/.test(name))
    assert.deepEqual(
      names.filter((name) => !list.includes(`](${name})`)),
      [],
    )
  })

  it('are found where they lead nowhere', () => {
    const planted = '[a](nowhere.md) [b](SECURITY.md#nowhere) [c](#here) [d](SECURITY.md#guessing)'
    assert.deepEqual(brokenLinks(join(root, 'README.md'), `# There\n${planted}`), [
      'nowhere.md',
      'SECURITY.md#nowhere',
      '#here',
    ])
  })

  it('name each decision record by a number of its own', () => {
    const numbers = readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4))
    assert.equal(new Set(numbers).size, numbers.length)
  })
})

describe('the code in the documents', () => {
  before(() => rmSync(place, { recursive: true, force: true }))
  after(() => rmSync(place, { recursive: true, force: true }))

  it('is found on every page that has some', () => {
    const fences = pages.map((path) => readFileSync(path, 'utf8').match(/^ *```\w/gm)?.length ?? 0)
    assert.equal(
      blocks.length,
      fences.reduce((sum, count) => sum + count, 0),
    )
    const known = [
      'ts',
      'json',
      'sh',
      'nginx',
      'apache',
      'ini',
      'sql',
      'yaml',
      'html',
      'caddyfile',
      'js',
    ]
    assert.deepEqual(
      blocks.filter(({ language }) => !known.includes(language)),
      [],
    )
  })

  it('compiles under strict, but for a mistake that is planted', async () => {
    const wrong =
      "import { loadSettings } from 'latchkey'\nconst port: string = loadSettings().port"
    const planted = { place: 'planted.md#1', language: 'ts', name: null, text: wrong }
    assert.match(
      await compile([...inLanguage('ts'), planted]),
      /^\S*planted\.md\/block-1\.ts\(2,7\): error TS2322: [^\n]*\n$/,
    )
  })

  for (const { place: where, text } of inLanguage('json')) {
    it(`${where} is JSON`, () => assert.doesNotThrow(() => JSON.parse(text)))
  }

  for (const { place: where, text } of inLanguage('sh')) {
    it(`${where} is a shell script`, async () => {
      assert.deepEqual(await run('sh', ['-n'], { input: text }), { code: 0, output: '' })
    })
  }
})
