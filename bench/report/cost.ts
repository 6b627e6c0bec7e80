/** What a million active owners cost: arithmetic on what was measured, with every assumption in sight. */
import type { Operation } from '../load/job.ts'
import type { Results } from '../results.ts'
import { renderTable, whole } from './markdown.ts'

const owners = 1_000_000

/** The busiest hour has so many times the load of the average one. */
const peak = 3

/** What one active owner's applications and browsers do in a day. */
const daily: readonly (readonly [Operation, number, string])[] = [
  ['login', 1 / 7, 'logs in once a week'],
  ['journey', 1 / 7, 'allows or re-enters an application once a week'],
  ['refresh', 10, 'uses applications for ten hours whose tokens live for one'],
  ['introspect-cold', 100, 'is asked about at other APIs'],
  ['read-cold', 100, 'reads at our own'],
]

/** Out of the largest database that was measured; empty where nothing was. */
export const renderCost = ({ rows, files }: Results): string => {
  const [largest] = files.toSorted((a, b) => b.families - a.families)
  if (largest === undefined) return ''
  const lines = daily.flatMap(([operation, times, why]) => {
    const row = rows.find(
      (one) =>
        one.operation === operation && one.kind === 'ours' && one.stored === largest.families,
    )
    if (row?.cpuMicroseconds == null) return []
    const perSecond = (owners * times * peak) / 86_400
    return [
      {
        why,
        times,
        perSecond,
        us: row.cpuMicroseconds,
        cores: (perSecond * row.cpuMicroseconds) / 1e6,
      },
    ]
  })
  if (lines.length < daily.length) return ''
  const cores = lines.reduce((sum, line) => sum + line.cores, 0)
  const gigabytes = ((largest.megabytes / largest.owners) * owners) / 1024
  const table = renderTable([
    ['each owner', 'a day', '/s at the peak', 'CPU us each', 'cores'],
    ...lines.map(({ why, times, perSecond, us, cores: part }) => [
      why,
      times.toFixed(2),
      whole(perSecond),
      us.toFixed(1),
      part.toFixed(2),
    ]),
    ['together', '', '', '', cores.toFixed(2)],
  ])
  return (
    `\n### A million active owners\n\nThe peak is taken as ${peak} times the average. CPU is from the database with ${whole(largest.families)} families. For introspection and reads it is from the uncached rows, since with so many owners nearly every request misses the cache.\n\n${table}\n\n` +
    `On disk ${gigabytes.toFixed(2)} GB: ${whole((largest.megabytes * 2 ** 20) / largest.owners)} bytes for an owner with one authorization and ${whole(largest.families / largest.owners)} families, a few of them with three items. The access log comes on top and is soon the larger part: [how large it gets](../../docs/scale.md#how-large-it-gets).\n`
  )
}
