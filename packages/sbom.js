/**
 * The components of the program (CycloneDX, by `npm sbom`). `npm sbom --omit=dev` leaves out what a
 * development dependency needs as well. So npm reads a lock file without those.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of a `package.json`, or the same in the lock file: what the program may load. */
const dropOthers = ({
  devDependencies: _,
  peerDependencies: __,
  peerDependenciesMeta: ___,
  ...kept
}) => kept

/** The same text for the same lock file: without a time and a random number. */
export const makeSbom = (root) => {
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const about = dropOthers(read('package.json'))
  const { packages, ...lock } = read('package-lock.json')
  const needed = Object.entries(packages)
    .filter(([, { dev, devOptional, link }]) => !dev && !devOptional && !link)
    .map(([path, one]) => [path, path === '' ? dropOthers(one) : one])
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sbom-'))
  try {
    const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content))
    write('package.json', about)
    write('package-lock.json', { ...lock, packages: Object.fromEntries(needed) })
    const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
    const {
      serialNumber: _,
      metadata,
      ...written
    } = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }))
    const { timestamp: __, component, ...others } = metadata
    const named = { ...others, component: { ...component, name: about.name } }
    return `${JSON.stringify({ ...written, metadata: named }, null, 2)}\n`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
