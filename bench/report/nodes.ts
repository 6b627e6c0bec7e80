/** What a second node brings, as a table. */
import type { NodesRow, NodesSample, Results } from '../results.ts'
import { renderTable, whole } from './markdown.ts'

const microseconds = ({ cpuMicroseconds: us }: NodesSample): string =>
  us === null ? '' : us.toFixed(1)

const cellsOf = ({ operation, one, two }: NodesRow): readonly string[] => [
  operation,
  whole(one.perSecond),
  whole(two.perSecond),
  (two.perSecond / Math.max(one.perSecond, 1)).toFixed(2),
  microseconds(one),
  microseconds(two),
]

const shared =
  'In both cases the load comes from both cores, and the database runs on them as well. So the ratio shows the capacity that one node left on these two cores. The CPU time of the nodes for each request stands beside it. As long as that does not grow, two nodes on cores of their own do twice the work of one.'
const apart =
  'In both cases the load comes from two others. The database takes the rest of all of them.'

const areApart = ({ cpus }: Results['environment']): boolean =>
  cpus !== null && new Set(Object.values(cpus)).size === 4

export const renderNodes = ({ nodes, environment }: Results): string =>
  nodes.length === 0
    ? ''
    : `### One node and two on one PostgreSQL\n\nTarget: two nodes on two cores at least 1.6 times one. Each node is pinned to a core of its own. ${areApart(environment) ? apart : shared}\n\n${renderTable(
        [
          ['', 'one /s', 'two /s', 'two : one', 'CPU us, one', 'CPU us, two'],
          ...nodes.map(cellsOf),
        ],
      )}\n`
