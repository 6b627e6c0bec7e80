/** The rooms of the endpoints: no room imports another, and no endpoint imports another endpoint. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { importsOf, type Source, sourceOf, sources } from './source.ts'

/** Where endpoints get their URLs. */
const isTable = (path: string): boolean => /^rooms\/\w+\/index\.ts$/.test(path)

/** The routes of all operations follow from their rows. */
const ofOperations = 'operations/surface/api.ts'

/** Puts the rows of the rooms together, and opens nothing else of a room. */
const whole = 'routes.ts'

/** The files of `rooms/` itself, which all rooms share. They lead into no room. */
const shared = 'rooms'

const roomOf = (path: string): string | null => {
  const [floor = '', room = '', file] = path.split('/')
  if (floor !== 'rooms') return null
  return file === undefined ? shared : `${floor}/${room}`
}

const targetsOf = (file: Source): readonly string[] =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file.path), target))

/** The files that a table takes rows from, or handlers of rows: `...openX(needs)` or `handler: x`. */
const rowFilesOf = ({ path, spoken, code }: Source): readonly string[] =>
  [...spoken.matchAll(/import \{([^}]*)\} from '(\.[^']+)'/g)]
    .filter(([, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .some((name) => new RegExp(`(\\.\\.\\.|handler[^,\n]*\\b)${name || '-'}\\b`).test(code)),
    )
    .map(([, , from = '']) => join(dirname(path), from))

/** The files of rooms that their tables take endpoints from. */
const endpointsIn = (files: readonly Source[]): readonly string[] =>
  files
    .filter(({ path }) => isTable(path))
    .flatMap(rowFilesOf)
    .filter((path) => roomOf(path) !== null && roomOf(path) !== shared)

const faultsOf = (files: readonly Source[]): readonly string[] => {
  const endpoints = endpointsIn(files)
  return files.flatMap((file) => {
    const here = roomOf(file.path)
    return targetsOf(file).flatMap((target) => {
      const there = roomOf(target)
      if (here !== null && there !== null && there !== here && there !== shared) {
        return [`${file.path} goes from its room into ${target}`]
      }
      if (isTable(file.path) || file.path === 'server.ts') return []
      if (
        file.path === whole &&
        there !== null &&
        there !== shared &&
        !isTable(target) &&
        target !== ofOperations
      ) {
        return [`${file.path} opens ${target} past its room`]
      }
      return endpoints.includes(target) ? [`${file.path} imports the endpoint ${target}`] : []
    })
  })
}

describe('the rooms of the endpoints', () => {
  it('are kept by every import', () => {
    assert.deepEqual(faultsOf(sources), [])
  })

  it('each have a table of their endpoints', () => {
    const rooms = new Set(endpointsIn(sources).map(roomOf))
    const all = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room !== null))
    all.delete(shared)
    all.delete('operations')
    assert.deepEqual([...rooms].sort(), [...all].sort())
  })

  it('would find what breaks them', () => {
    const planted = [
      sourceOf(
        'rooms/oauth/index.ts',
        "import { token } from './token.ts'\nconst row = { handler: token }",
      ),
      sourceOf(
        'rooms/login/index.ts',
        "import { openLogin } from './login.ts'\nconst rows = [...openLogin(needs)]",
      ),
      sourceOf(
        'routes.ts',
        "import { loginRows } from './rooms/login/index.ts'\nimport { token } from './rooms/oauth/token.ts'\nimport type { RouteRow } from './route.ts'",
      ),
      sourceOf('rooms/oauth/revoke.ts', "import { readForm } from './token.ts'"),
      sourceOf('rooms/oauth/client-form.ts', "import type { Form } from './token.ts'"),
      sourceOf('rooms/account/confirm/endpoint.ts', "import { show } from '../../login/page.ts'"),
      sourceOf('rooms/refused.ts', "import { view } from './operator/view.ts'"),
      sourceOf('cli/operator.ts', "import { logIn } from '../rooms/login/login.ts'"),
      sourceOf('rooms/login/login.ts', "import { showLogin } from './login-page.ts'"),
      sourceOf('rooms/login/login-page.ts', "import { viewOf } from '../view.ts'"),
    ]
    assert.deepEqual(faultsOf(planted), [
      'routes.ts opens rooms/oauth/token.ts past its room',
      'rooms/oauth/revoke.ts imports the endpoint rooms/oauth/token.ts',
      'rooms/oauth/client-form.ts imports the endpoint rooms/oauth/token.ts',
      'rooms/account/confirm/endpoint.ts goes from its room into rooms/login/page.ts',
      'rooms/refused.ts goes from its room into rooms/operator/view.ts',
      'cli/operator.ts imports the endpoint rooms/login/login.ts',
    ])
  })
})
