/** The results as a table in Markdown, which reads as well on a terminal. */
import type { Operation } from '../load/job.ts'
import { comparedOf, type Results, type Row, type Server, targets } from '../results.ts'
import { renderAgainst } from './against.ts'
import { renderCost } from './cost.ts'
import { renderKeys } from './keys.ts'
import { renderTable, whole } from './markdown.ts'
import { renderNodes } from './nodes.ts'

export const titles: Readonly<Record<Operation, string>> = {
  token: 'token by client credentials',
  'token-jwt': 'token by client credentials, a JWT (RS256)',
  code: 'code exchange with PKCE',
  'id-token-rs256': 'code exchange with an ID token, RS256',
  'id-token-es256': 'code exchange with an ID token, ES256',
  refresh: 'refresh with rotation',
  introspect: 'introspection',
  'introspect-cold': 'introspection, not cached',
  revoke: 'revocation',
  read: 'API read with a bearer token',
  'read-cold': 'API read, not cached',
  userinfo: 'claims of the owner (/userinfo)',
  journey: 'journey: authorize, code, exchange',
  login: 'login with a password',
}

const orNone = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined ? '' : value.toFixed(digits)

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
  'of fsynced',
]

type Compared = ReturnType<typeof comparedOf>

const ratio = (row: Row, other: Row | undefined): number | null =>
  other === undefined || other.perSecond === 0 ? null : row.perSecond / other.perSecond

const cellsOf = (row: Row, { floor, fastest, fastestFsynced }: Compared): readonly string[] => [
  row.subject,
  row.fault === null ? whole(row.perSecond) : '0 (wrong)',
  `${whole(row.from)}-${whole(row.to)}`,
  row.p50.toFixed(2),
  row.p99.toFixed(1),
  orNone(row.cpuMicroseconds, 1),
  orNone(row.residentMegabytes, 0),
  orNone(ratio(row, floor), 2),
  orNone(ratio(row, fastest), 2),
  orNone(ratio(row, fastestFsynced), 2),
]

const renderTarget = (operation: Operation, { fastest, fastestFsynced }: Compared): string => {
  const { ofFloor, ofPeer } = targets[operation]
  const [peer, called] = operation === 'read' ? [fastest, 'durable'] : [fastestFsynced, 'fsynced']
  const said = [
    ofFloor === null ? '' : `${ofFloor.toFixed(2)} of the floor`,
    ofPeer === null
      ? ''
      : `${ofPeer} x the fastest ${called} peer${peer ? ` (${peer.subject})` : ''}`,
  ].filter((one) => one !== '')
  return said.length === 0 ? '' : `Target: ${said.join(', ')}.\n\n`
}

const faultsOf = (those: readonly Pick<Row, 'subject' | 'fault'>[]): string =>
  those
    .filter(({ fault }) => fault !== null)
    .map(({ subject, fault }) => `\n\n${subject} counts as zero. ${fault}`)
    .join('')

const renderOperation = (rows: readonly Row[], operation: Operation): string => {
  const compared = comparedOf(rows, operation)
  const { these } = compared
  const table = renderTable([head, ...these.map((row) => cellsOf(row, compared))])
  return `### ${titles[operation]}\n\n${renderTarget(operation, compared)}${table}${faultsOf(these)}\n`
}

const afterKill = ({ durable, survivedKill }: Server): string => {
  if (!durable) return 'nothing promised'
  if (survivedKill === null) return 'not tried'
  return survivedKill ? 'all there' : 'LOST'
}

const readyOf = ({ readyMilliseconds }: Server): string =>
  readyMilliseconds === null ? 'never' : whole(readyMilliseconds)

const renderServers = ({ servers }: Results): string =>
  renderTable([
    ['', 'ready ms', 'most MB', 'after kill -9'],
    ...servers.map((server) => [
      server.subject,
      readyOf(server),
      orNone(server.mostMegabytes, 0),
      afterKill(server),
    ]),
  ])

const renderCrowds = ({ crowds }: Results): string =>
  crowds.length === 0
    ? ''
    : `### ${crowds[0]?.logins} people log in at once, others read ${crowds[0]?.readsPerSecond} times a second\n\nTarget: p99 of the reads below 25 ms.\n\n${renderTable(
        [
          ['', 'p99 of reads ms', 'logins /s'],
          ...crowds.map(({ subject, fault, readP99, loginsPerSecond }) => [
            subject,
            fault === null ? readP99.toFixed(1) : '(wrong)',
            fault === null ? whole(loginsPerSecond) : '0 (wrong)',
          ]),
        ],
      )}${faultsOf(crowds)}\n`

/** Where a target speaks of what many stored tokens cost. */
const renderGrowth = ({ rows }: Results): string => {
  const ours = rows.filter((row) => row.kind === 'ours' && row.stored !== null && row.stored > 0)
  const sizes = [...new Set(ours.map((row) => row.stored ?? 0))].sort((a, b) => a - b)
  const [least] = sizes
  if (sizes.length < 2 || least === undefined) return ''
  const rowsOf = (operation: Operation) => ours.filter((row) => row.operation === operation)
  const of = (operation: Operation, stored: number) =>
    rowsOf(operation).find((row) => row.stored === stored)?.perSecond ?? 0
  const onAll = [...new Set(ours.map((row) => row.operation))].filter(
    (operation) => rowsOf(operation).length === sizes.length,
  )
  const lines = onAll.map((operation) => [
    titles[operation],
    ...sizes.map((size) => (of(operation, size) / Math.max(of(operation, least), 1)).toFixed(2)),
  ])
  return `### Stored before\n\nSpeed against that with ${whole(least)} families. Target: at least 0.90.\n\n${renderTable(
    [['', ...sizes.map(whole)], ...lines],
  )}\n`
}

const renderEnvironment = ({ environment, versions }: Results): string => {
  const { node, processor, cores, memoryGigabytes, platform, secondsPerSlice, rounds } = environment
  const { cpus, fileSystem, fsyncMilliseconds } = environment
  const placed =
    cpus === null ? 'not pinned' : `servers on CPU ${cpus.server}, load on ${cpus.load}`
  const disk = `databases on ${fileSystem}, where an fsync of 4 KB takes ${fsyncMilliseconds.toFixed(2)} ms`
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `\n### Measured with\n\n- Node ${node} on ${platform}, ${processor}, ${cores} cores, ${memoryGigabytes} GB\n- ${placed}\n- ${disk}\n- ${rounds} rounds of ${secondsPerSlice} seconds\n- ${packages.join(', ')}\n`
}

export const renderResults = (results: Results): string => {
  const operations = [...new Set(results.rows.map((row) => row.operation))]
  return [
    ...operations.map((operation) => renderOperation(results.rows, operation)),
    renderAgainst(results.rows, titles),
    renderKeys(results),
    renderGrowth(results),
    renderCrowds(results),
    renderNodes(results),
    '### Servers\n\nTargets: ready within 300 ms on a database that is there, at most 150 MB.\n',
    renderServers(results),
    renderCost(results),
    renderEnvironment(results),
    ...results.notes.map((note) => `- ${note}`),
  ]
    .filter((part) => part !== '')
    .join('\n')
}
