/** Both packages as others get them: built once, packed, and installed in projects of their own. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodePackage } from './process.ts'
import { root } from './source.ts'
import { run } from './tool.ts'

export interface Tarballs {
  readonly latchkey: string
  readonly resource: string
}

const pack = async (
  folder: string,
  place: string,
  env: NodeJS.ProcessEnv,
  ...options: readonly string[]
): Promise<string> => {
  const args = ['pack', '--silent', '--pack-destination', place, ...options]
  const { code, output } = await run('npm', args, { cwd: join(root, folder), env })
  assert.equal(code, 0, output)
  return join(place, output.trim().split('\n').at(-1) ?? '')
}

/** Packs both packages into a folder. Packing the first one builds the second, too. */
export const packBoth = async (place: string, env: NodeJS.ProcessEnv): Promise<Tarballs> => {
  const latchkey = await pack('.', place, env)
  return { latchkey, resource: await pack('packages/resource', place, env, '--ignore-scripts') }
}

/** Runs a command in the folder of a project. */
export type InProject = (command: string, ...args: readonly string[]) => Promise<string>

/** A project with these dependencies, each name with the path of a tarball. */
export const openProject = async (
  folder: string,
  dependencies: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<InProject> => {
  mkdirSync(folder)
  const named = Object.entries(dependencies).map(([name, path]) => [name, `file:${path}`])
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: Object.fromEntries(named) }),
  )
  const inProject: InProject = async (command, ...args) => {
    const { code, output } = await run(command, args, { cwd: folder, env })
    assert.equal(code, 0, output)
    return output
  }
  await inProject('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund')
  return inProject
}

/** A Node 20 program: the one of this system, or one from npm that is kept for the next run. */
export const findNode20 = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const { output } = await run('node', ['--print', 'process.version + process.execPath'], { env })
  if (output.startsWith('v20.')) return output.trim().replace(/^v[\d.]+/, '')
  const folder = join(root, '.cache/node-20')
  const node = join(folder, 'node_modules', nodePackage, 'bin/node')
  if (existsSync(node)) return node
  mkdirSync(folder, { recursive: true })
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  const fetched = await run('npm', ['install', ...options, `${nodePackage}@20`], { env })
  assert.equal(fetched.code, 0, fetched.output)
  return node
}
