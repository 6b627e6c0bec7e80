/** The alert rules and the dashboard in `deploy/`: each metric and label in them is a real one. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { drawRandom } from '../../src/crypto/digest.ts'
import { makeOwnerEvent, makeServiceTrace } from '../../src/store/trace.ts'
import { install } from '../support/debian.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { type ReadFamily, readMetrics } from '../support/metrics.ts'
import { start } from '../support/start.ts'

const fileOf = (path: string): string =>
  fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url))
const read = (path: string): string => readFileSync(fileOf(path), 'utf8')

const promtool = '/usr/bin/promtool'
const findPromtool = (): boolean => {
  if (!existsSync(promtool)) install('prometheus')
  return existsSync(promtool)
}

/** Labels that Prometheus itself adds. */
const added = ['instance', 'job']

interface Dashboard {
  readonly panels: readonly {
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly query: string | { query: string } }[] }
  readonly annotations: { readonly list: readonly { readonly expr: string }[] }
}

const alerts = read('prometheus/alerts.yml')
const ruleExpressions = [...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr)
const dashboard = JSON.parse(read('grafana/latchkey.json')) as Dashboard
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? [])
const dashboardExpressions = [
  ...targets.map(({ expr }) => expr),
  ...dashboard.annotations.list.map(({ expr }) => expr),
  ...dashboard.templating.list.map(({ query }) =>
    typeof query === 'string' ? query : query.query,
  ),
]

describe('the files for Prometheus and Grafana', () => {
  let metrics: string
  let families: ReadonlyMap<string, ReadFamily>
  before(async () => {
    const secrets = ['']
    const url = 'http://127.0.0.1:9/'
    const service = await start({ webhooks: [{ id: 'one', url, secrets, events: null }] })
    const { store } = service.server()
    const found = await store.gauges()
    // As on PostgreSQL.
    store.gauges = async () => ({
      ...found,
      pool: { connections: 1, stepsBusy: 0, readsOpen: 0 },
    })
    await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)
    await service.ask('/nowhere')
    const trace = makeServiceTrace(service.now(), { clock: Date.now, random: drawRandom })
    await store.appendEvent(makeOwnerEvent('code.replayed', null, {}, trace))
    // The webhook has no receiver, so its first try is counted as one to repeat.
    await service.advance(5)
    metrics = (await service.ask('/metrics')).text
    families = readMetrics(metrics)
    await service.close()
  })

  /** The names of samples, and the labels of each with their values. */
  const samplesOf = (name: string) =>
    [...families.values()].flatMap(({ samples }) =>
      samples.filter((sample) => sample.name === name),
    )

  const faultsOf = (expression: string): readonly string[] => {
    const faults: string[] = []
    const labels = new Set(added)
    for (const [, name = '', selector = ''] of expression.matchAll(
      /\b(latchkey_[a-z_]+)(?:\{([^}]*)\})?/g,
    )) {
      const samples = samplesOf(name)
      if (samples.length === 0) faults.push(`there is no ${name}`)
      for (const label of samples.flatMap((sample) => Object.keys(sample.labels))) labels.add(label)
      for (const [, label = '', operator, value = ''] of selector.matchAll(
        /([a-z_]+)(=~|!~|!=|=)"([^"]*)"/g,
      )) {
        if (added.includes(label)) continue
        const values = samples.map((sample) => sample.labels[label])
        if (values.every((one) => one === undefined)) faults.push(`${name} has no label ${label}`)
        if (operator === '=' && !values.includes(value))
          faults.push(`no ${name} of ${label} ${value}`)
      }
    }
    for (const [, grouped = ''] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
      for (const label of grouped.split(/, */)) {
        if (!labels.has(label)) faults.push(`nothing has the label ${label}: ${expression}`)
      }
    }
    return faults
  }

  test('the alert rules name metrics that exist', () => {
    assert.equal(ruleExpressions.length, 18)
    assert.deepEqual(ruleExpressions.flatMap(faultsOf), [])
  })

  test('the dashboard names metrics that exist', () => {
    assert.ok(dashboardExpressions.length > 30)
    assert.deepEqual(dashboardExpressions.flatMap(faultsOf), [])
    for (const { expr, legendFormat } of targets) {
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      assert.deepEqual(faultsOf(`${expr} by (${shown.join(', ') || 'instance'})`), [])
    }
  })

  test('a name or a label that does not exist would be found', () => {
    assert.deepEqual(faultsOf('rate(latchkey_nothing_total[5m])'), [
      'there is no latchkey_nothing_total',
    ])
    assert.deepEqual(faultsOf('latchkey_grants_total{kind="a", outcome="lost"}'), [
      'latchkey_grants_total has no label kind',
      'no latchkey_grants_total of kind a',
      'no latchkey_grants_total of outcome lost',
    ])
    assert.deepEqual(faultsOf('sum by (reason) (latchkey_grants_total)'), [
      'nothing has the label reason: sum by (reason) (latchkey_grants_total)',
    ])
  })

  describe('by promtool', {
    skip: !findPromtool() && 'no promtool here: install prometheus',
  }, () => {
    const check = (args: readonly string[], input = '') => {
      const { status, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' })
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    }

    test('the rules are right', () => check(['check', 'rules', fileOf('prometheus/alerts.yml')]))

    test('the metrics are right', () => check(['check', 'metrics'], metrics))

    test('the rules fire where they should', () => {
      check(['test', 'rules', fileURLToPath(new URL('../shape/alerts.yml', import.meta.url))])
    })
  })

  test('every alert says how grave it is, and what to do', () => {
    const rules = alerts.split('- alert: ').slice(1)
    for (const rule of rules) {
      assert.match(rule, /severity: (critical|warning)\n/)
      assert.match(rule, /summary: "[^"]+"\n +description: "[^"]+"\n/)
    }
  })
})
