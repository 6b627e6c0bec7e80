/**
 * Builds both packages: `latchkey` into `dist/`, and `latchkey-resource` into
 * `packages/resource/dist/`. Plain JavaScript for Node 20 and later.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, copyAssets } from './bundle.js'
import { makeSbom } from './sbom.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const compiler = join(root, 'node_modules/typescript/bin/tsc')

const remove = (folder) => rmSync(join(root, folder), { recursive: true, force: true })

const compile = (project, ...options) => {
  const args = [compiler, '--singleThreaded', ...options, '-p', join(root, project)]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** Copies compiled files to another place, from which they name other modules by other paths. */
const copy = (from, to, path, otherPath) => {
  for (const name of readdirSync(join(root, from), { recursive: true })) {
    if (!/\.(js|d\.ts|json)$/.test(name)) continue
    mkdirSync(dirname(join(root, to, name)), { recursive: true })
    const text = readFileSync(join(root, from, name), 'utf8')
    writeFileSync(join(root, to, name), text.replaceAll(path, otherPath))
  }
}

/** The playground lies beside the source here, and inside the program in the package. */
const copyProgram = () => {
  copy('.cache/built/src', 'dist', '../playground/', './playground/')
  copy('.cache/built/playground', 'dist/playground', '../src/', '../')
}

/** The contract suite lies beside the tests here, and beside the contract in the package. */
const copySuite = () => copy('.cache/built/test/store', 'dist/store', '../src/', '')

for (const folder of ['dist', 'packages/resource/dist', '.cache/built']) remove(folder)
// `npm test` checks their types.
compile('packages/built.json', '--noCheck')
copyProgram()
copyAssets(join(root, 'src/paper'), join(root, 'dist/paper'))
await bundle(join(root, 'dist'), join(root, 'dist/program'))
copySuite()
remove('.cache/built')
writeFileSync(join(root, 'dist/latchkey.cdx.json'), makeSbom(root))
compile('packages/resource/tsconfig.json')
copyFileSync(join(root, 'LICENSE'), join(root, 'packages/resource/LICENSE'))
