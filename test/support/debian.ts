/** Programs for the tests from Debian, installed if the tests run as root. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export const isRoot = process.getuid?.() === 0

/** One test at a time installs, and the lock is on a file that is there anyway. */
const debian = '/etc/debian_version'

/**
 * After waiting for the lock, the program may be there already. A download may be cut off.
 * Unpacking may not, even if the tests end meanwhile: a half would break the next run.
 */
const script = `
  dpkg -s "$1" | grep -q '^Status: .* installed$' && exit
  options='-qq -y --no-install-recommends -o DPkg::Lock::Timeout=300'
  timeout 300 apt-get update -qq || exit
  timeout 600 apt-get install $options --download-only "$1" || exit
  trap '' HUP INT TERM
  apt-get install $options --no-download "$1"`

/** Whether dpkg is through with a package: until then what it unpacks may look whole. */
export const isInstalled = (name: string): boolean =>
  /^Status: .* installed$/m.test(String(spawnSync('/usr/bin/dpkg', ['-s', name]).stdout))

/**
 * If that is not possible, nothing happens, and the tests name the suites they skip.
 *
 * @param say told that it will take a while
 */
export const install = (name: string, say: (line: string) => void = () => {}): void => {
  if (!isRoot || !existsSync(debian)) return
  say(`installing ${name} with apt-get`)
  // Without the lock's own descriptor (-o): a server that the package starts would keep it for ever.
  spawnSync('/usr/bin/flock', ['-o', debian, '/bin/sh', '-c', script, 'sh', name], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
  })
}
