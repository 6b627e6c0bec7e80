/** Where and how it is measured, and what has to be known about that by whoever reads the figures. */
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { cores, isOneCore } from './cores.ts'
import type { Options } from './options.ts'
import { fileSystemOf, fsyncMilliseconds } from './place.ts'
import type { Environment } from './results.ts'

/** From such a share of its cores on a machine is busy with something else. */
const busyShare = 0.5

/** @param folder where the databases lie */
export const environmentOf = ({ seconds, rounds }: Options, folder: string): Environment => ({
  node: process.versions.node,
  sqlite: process.versions.sqlite ?? '',
  platform: `${process.platform} ${process.arch}`,
  processor: cpus()[0]?.model.trim() ?? '',
  cores: availableParallelism(),
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  cpus: cores,
  loadBefore: loadavg()[0] ?? 0,
  fileSystem: fileSystemOf(folder),
  fsyncMilliseconds: fsyncMilliseconds(folder),
  secondsPerSlice: seconds,
  rounds,
})

const pinning = ({ cores, cpus }: Environment): string | null => {
  if (cores < 2) return 'Servers and load share one core, so the figures say little.'
  if (cpus === null) {
    return 'Nothing was pinned to a core (`taskset` does that), so servers and load may have got in one another’s way.'
  }
  return isOneCore ? 'Servers and load run on two threads of one core, which they share.' : null
}

/** What makes the figures worth less. */
export const doubtsAbout = (environment: Environment): readonly string[] => {
  const { loadBefore, cores, fileSystem } = environment
  return [
    pinning(environment),
    loadBefore > cores * busyShare
      ? `The machine was busy when the run began: a load of ${loadBefore.toFixed(1)} on ${cores} cores.`
      : null,
    /^(tmpfs|ramfs)$/.test(fileSystem)
      ? `The databases lay on ${fileSystem}, where an fsync costs nothing; TMPDIR names another place.`
      : null,
  ].filter((doubt) => doubt !== null)
}
