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
  'in both cases the load comes from both cores, and the database runs on them as well. So the ratio says what these two cores had left beside one node. What the nodes themselves spend on a request stands beside it: as long as it does not grow, two nodes with cores to themselves do twice what one does.'
const apart =
  'in both cases the load comes from two others. The database takes what is left of all of them.'

const areApart = ({ cpus }: Results['environment']): boolean =>
  cpus !== null && new Set(Object.values(cpus)).size === 4

export const renderNodes = ({ nodes, environment }: Results): string =>
  nodes.length === 0
    ? ''
    : `### One node and two on one PostgreSQL\n\nTarget: two nodes on two cores at least 1.6 times one. Each node is pinned to a core of its own; ${areApart(environment) ? apart : shared}\n\n${renderTable(
        [
          ['', 'one /s', 'two /s', 'two : one', 'CPU us, one', 'CPU us, two'],
          ...nodes.map(cellsOf),
        ],
      )}\n`
