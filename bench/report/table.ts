/** The results as a table in Markdown, which reads as well on a terminal. */
import type { Operation } from '../load/job.ts'
import { comparedOf, type Results, type Row, targets } from '../results.ts'

export const titles: Readonly<Record<Operation, string>> = {
  token: 'token by client credentials',
  code: 'code exchange with PKCE',
  refresh: 'refresh with rotation',
  introspect: 'introspection',
  revoke: 'revocation',
  read: 'API read with a bearer token',
  journey: 'journey: authorize, code, exchange',
  login: 'login with a password',
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const orNone = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined ? '' : value.toFixed(digits)

/** Lines of cells, each column as wide as its widest cell; all but the first flush right. */
export const renderTable = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, i) =>
    Math.max(...lines.map((line) => line[i]?.length ?? 0)),
  )
  const cells = (line: readonly string[]): string =>
    `| ${line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const [head = [], ...rest] = lines
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [cells(head), rule, ...rest.map(cells)].join('\n')
}

const head = [
  '',
  '/s',
  'slowest-fastest',
  'p50 ms',
  'p99 ms',
  'CPU us',
  'RSS MB',
  'of floor',
  'of peer',
]

const ratio = (row: Row, other: Row | undefined): number | null =>
  other === undefined || other.perSecond === 0 ? null : row.perSecond / other.perSecond

const cellsOf = (row: Row, floor: Row | undefined, fastest: Row | undefined): readonly string[] => [
  row.subject,
  row.fault === null ? whole(row.perSecond) : '0 (wrong)',
  `${whole(row.from)}-${whole(row.to)}`,
  row.p50.toFixed(2),
  row.p99.toFixed(1),
  orNone(row.cpuMicroseconds, 1),
  orNone(row.residentMegabytes, 0),
  orNone(ratio(row, floor), 2),
  orNone(ratio(row, fastest), 2),
]

const renderTarget = (operation: Operation, fastest: Row | undefined): string => {
  const { ofFloor, ofPeer } = targets[operation]
  const said = [
    ofFloor === null ? '' : `${ofFloor.toFixed(2)} of the floor`,
    ofPeer === null
      ? ''
      : `${ofPeer} x the fastest durable peer${fastest ? ` (${fastest.subject})` : ''}`,
  ].filter((one) => one !== '')
  return said.length === 0 ? '' : `Target: ${said.join(', ')}.\n\n`
}

const renderOperation = (rows: readonly Row[], operation: Operation): string => {
  const { these, floor, fastest } = comparedOf(rows, operation)
  const table = renderTable([head, ...these.map((row) => cellsOf(row, floor, fastest))])
  const faults = these
    .filter((row) => row.fault !== null)
    .map((row) => `\n\n${row.subject} counts as zero. ${row.fault}`)
  return `### ${titles[operation]}\n\n${renderTarget(operation, fastest)}${table}${faults.join('')}\n`
}

const renderServers = ({ servers }: Results): string =>
  renderTable([
    ['', 'ready ms', 'most MB', 'after kill -9'],
    ...servers.map(({ subject, readyMilliseconds, mostMegabytes, survivedKill }) => [
      subject,
      whole(readyMilliseconds),
      orNone(mostMegabytes, 0),
      survivedKill === null ? 'nothing promised' : survivedKill ? 'all there' : 'LOST',
    ]),
  ])

const renderCrowds = ({ crowds }: Results): string =>
  crowds.length === 0
    ? ''
    : `### ${crowds[0]?.logins} people log in at once, others read ${crowds[0]?.readsPerSecond} times a second\n\nTarget: p99 of the reads below 30 ms.\n\n${renderTable(
        [
          ['', 'p99 of reads ms', 'logins /s'],
          ...crowds.map((one) => [one.subject, one.readP99.toFixed(1), whole(one.loginsPerSecond)]),
        ],
      )}\n`

/** Where a target speaks of what many stored tokens cost. */
const renderGrowth = ({ rows }: Results): string => {
  const ours = rows.filter((row) => row.kind === 'ours' && row.stored !== null && row.stored > 0)
  const sizes = [...new Set(ours.map((row) => row.stored ?? 0))].sort((a, b) => a - b)
  const [least] = sizes
  if (sizes.length < 2 || least === undefined) return ''
  const of = (operation: Operation, stored: number) =>
    ours.find((row) => row.operation === operation && row.stored === stored)?.perSecond ?? 0
  const lines = [...new Set(ours.map((row) => row.operation))].map((operation) => [
    titles[operation],
    ...sizes.map((size) => (of(operation, size) / Math.max(of(operation, least), 1)).toFixed(2)),
  ])
  return `### Stored before\n\nSpeed against that with ${whole(least)} families. Target: at least 0.85.\n\n${renderTable(
    [['', ...sizes.map(whole)], ...lines],
  )}\n`
}

export const renderResults = (results: Results): string => {
  const operations = [...new Set(results.rows.map((row) => row.operation))]
  return [
    ...operations.map((operation) => renderOperation(results.rows, operation)),
    renderGrowth(results),
    renderCrowds(results),
    '### Servers\n\nTargets: ready within 400 ms on a database that is there, at most 160 MB.\n',
    renderServers(results),
    '',
    ...results.notes.map((note) => `- ${note}`),
  ]
    .filter((part) => part !== '')
    .join('\n')
}
