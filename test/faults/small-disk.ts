/** A small file system in memory, to be filled. */
import { execFileSync } from 'node:child_process'
import { newFolder } from './folder.ts'

export interface SmallDisk {
  readonly path: string
  resize(kibibytes: number): void
  unmount(): void
}

const run = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args, { stdio: 'ignore' })
}

/** Null where this user may not mount one. */
export const mountSmall = (kibibytes: number): SmallDisk | null => {
  const { path, remove } = newFolder()
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', path)
  } catch {
    remove()
    return null
  }
  return {
    path,
    resize: (size) => run('mount', '-o', `remount,size=${size}k`, path),
    unmount: () => {
      run('umount', path)
      remove()
    },
  }
}
