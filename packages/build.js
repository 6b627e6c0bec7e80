/**
 * Builds both packages: `latchkey` into `dist/`, and `latchkey-resource` into
 * `packages/resource/dist/`. Plain JavaScript for Node 20 and later.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const compiler = join(root, 'node_modules/typescript/bin/tsc')

const remove = (folder) => rmSync(join(root, folder), { recursive: true, force: true })

const compile = (project) => {
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, project)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

/** The contract suite lies beside the tests here, and beside the contract in the package. */
const copySuite = () => {
  const from = join(root, '.cache/contract/test/store')
  const to = join(root, 'dist/store')
  for (const name of readdirSync(from, { recursive: true })) {
    if (!name.endsWith('.js') && !name.endsWith('.d.ts')) continue
    mkdirSync(dirname(join(to, name)), { recursive: true })
    const text = readFileSync(join(from, name), 'utf8')
    writeFileSync(join(to, name), text.replaceAll('../src/', ''))
  }
}

for (const folder of ['dist', 'packages/resource/dist', '.cache/contract']) remove(folder)
compile('tsconfig.build.json')
await bundle(join(root, 'dist'), join(root, 'dist/program'))
compile('packages/contract.json')
copySuite()
remove('.cache/contract')
compile('packages/resource/tsconfig.json')
copyFileSync(join(root, 'LICENSE'), join(root, 'packages/resource/LICENSE'))
