/**
 * The program of a checkout: few files made of its many modules, and made anew after each change
 * (decision 68). Plain JavaScript for Node 18 and later.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A service that runs may still load parts of its program, so those of earlier sources stay for a while. */
const keptPrograms = 10

/** Changes with every change of a source, of the lock file, and of how the program is made. */
const fingerprintOf = (root) => {
  const digest = createHash('sha256')
  const note = (path) => {
    const { mtimeMs, size } = statSync(path)
    digest.update(`${path} ${mtimeMs} ${size}\n`)
  }
  for (const file of ['package-lock.json', 'packages/bundle.js']) note(join(root, file))
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) visit(path)
      else note(path)
    }
  }
  for (const folder of ['src', 'playground']) {
    if (existsSync(join(root, folder))) visit(join(root, folder))
  }
  return digest.digest('hex').slice(0, 16)
}

const removeOld = (cache) => {
  const programs = readdirSync(cache).filter((name) => name.startsWith('program-'))
  const aged = programs.map((name) => ({ name, time: statSync(join(cache, name)).mtimeMs }))
  for (const { name } of aged.sort((a, b) => b.time - a.time).slice(keptPrograms)) {
    rmSync(join(cache, name), { recursive: true, force: true })
  }
}

/**
 * The file to run. Where none can be made, Node runs the modules as they are, and says what is wrong
 * with them.
 *
 * @param make runs `packages/bundle.js` with its arguments; resolves with the exit code
 */
export const findProgram = async (root, cache, make) => {
  const modules = join(root, 'src/cli.ts')
  try {
    const folder = join(cache, `program-${fingerprintOf(root)}`)
    const program = join(folder, 'cli.js')
    if (existsSync(program)) return program
    if ((await make([join(root, 'packages/bundle.js'), join(root, 'src'), folder])) !== 0)
      return modules
    removeOld(cache)
    return program
  } catch {
    return modules
  }
}
