/** The rooms of the endpoints: no room imports another, and no endpoint imports another endpoint. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { importsOf, type Source, sourceOf, sources } from './source.ts'

/** What all rooms share. It leads into no room itself. */
const door = 'endpoints/door'

/** Where every endpoint gets its URL. */
const table = 'routes.ts'

const roomOf = (path: string): string | null => {
  const [floor = '', room = ''] = path.split('/')
  if (floor === 'endpoints') return `${floor}/${room}`
  return floor === 'admin' || floor === 'playground' ? floor : null
}

const targetsOf = (file: Source): readonly string[] =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file.path), target))

/** The files of rooms that the table of routes takes endpoints from. */
const endpointsIn = (files: readonly Source[]): readonly string[] =>
  files
    .filter(({ path }) => path === table)
    .flatMap(targetsOf)
    .filter((path) => roomOf(path) !== null && roomOf(path) !== door)

const faultsOf = (files: readonly Source[]): readonly string[] => {
  const endpoints = endpointsIn(files)
  return files.flatMap((file) => {
    const here = roomOf(file.path)
    return targetsOf(file).flatMap((target) => {
      const there = roomOf(target)
      if (here !== null && there !== null && there !== here && there !== door) {
        return [`${file.path} goes from its room into ${target}`]
      }
      // The server makes the playground, which is there in the demo only.
      if (file.path === table || file.path === 'server.ts') return []
      return endpoints.includes(target) ? [`${file.path} imports the endpoint ${target}`] : []
    })
  })
}

describe('the rooms of the endpoints', () => {
  it('are kept by every import', () => {
    assert.deepEqual(faultsOf(sources), [])
  })

  it('hold the endpoints of the table of routes', () => {
    const rooms = new Set(endpointsIn(sources).map(roomOf))
    const all = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room !== null))
    all.delete(door)
    assert.deepEqual([...rooms].sort(), [...all].sort())
  })

  it('would find what breaks them', () => {
    const planted = [
      sourceOf(
        'routes.ts',
        "import { token } from './endpoints/oauth/token.ts'\nimport { logIn } from './endpoints/login/login.ts'\nimport type { Route } from './endpoints/door/door.ts'",
      ),
      sourceOf('endpoints/oauth/revoke.ts', "import { readForm } from './token.ts'"),
      sourceOf('endpoints/oauth/client-form.ts', "import type { Form } from './token.ts'"),
      sourceOf('endpoints/account/confirm.ts', "import { show } from '../login/page.ts'"),
      sourceOf('endpoints/door/refused.ts', "import { view } from '../operator/view.ts'"),
      sourceOf('admin/owners.ts', "import { page } from '../endpoints/account/pages.ts'"),
      sourceOf('playground/tour.ts', "const load = () => import('../endpoints/site/home.ts')"),
      sourceOf('cli/operator.ts', "import { logIn } from '../endpoints/login/login.ts'"),
      sourceOf('endpoints/login/login.ts', "import { showLogin } from './login-page.ts'"),
      sourceOf('endpoints/login/login-page.ts', "import { viewOf } from '../door/view.ts'"),
      sourceOf('playground/show.ts', "import { viewOf } from '../endpoints/door/view.ts'"),
    ]
    assert.deepEqual(faultsOf(planted), [
      'endpoints/oauth/revoke.ts imports the endpoint endpoints/oauth/token.ts',
      'endpoints/oauth/client-form.ts imports the endpoint endpoints/oauth/token.ts',
      'endpoints/account/confirm.ts goes from its room into endpoints/login/page.ts',
      'endpoints/door/refused.ts goes from its room into endpoints/operator/view.ts',
      'admin/owners.ts goes from its room into endpoints/account/pages.ts',
      'playground/tour.ts goes from its room into endpoints/site/home.ts',
      'cli/operator.ts imports the endpoint endpoints/login/login.ts',
    ])
  })
})
