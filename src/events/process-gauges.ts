/** Gauges of this process: memory, event loop, garbage collection. Measured from the first question on. */

import { gauge, type MetricFamily } from '../model/metric.ts'
import { metricLimits } from './limits.ts'

type LoopDelay = ReturnType<typeof import('node:perf_hooks')['monitorEventLoopDelay']>

interface Measuring {
  readonly loop: LoopDelay
  readonly collected: { count: number; milliseconds: number }
}

/** Costs a timer and an observer, so a node that nobody asks does without. */
const begin = async (): Promise<Measuring> => {
  const { monitorEventLoopDelay, PerformanceObserver } = await import('node:perf_hooks')
  const loop = monitorEventLoopDelay({ resolution: metricLimits.loopMilliseconds })
  loop.enable()
  const collected = { count: 0, milliseconds: 0 }
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      collected.count++
      collected.milliseconds += duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return { loop, collected }
}

const memoryFamily = (): MetricFamily => {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  const areas = { resident: rss, heap_total: heapTotal, heap_used: heapUsed, external }
  return {
    name: 'latchkey_memory_bytes',
    help: 'Memory of the process, by area.',
    type: 'gauge',
    samples: Object.entries(areas).map(([area, value]) => ({ labels: { area }, value })),
  }
}

/** Since the last question, so that one long delay does not stay forever. */
const loopFamily = (loop: LoopDelay): MetricFamily => {
  const { loopMilliseconds } = metricLimits
  // The histogram counts the time from tick to tick, so a loop without delay has its resolution.
  const delay = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - loopMilliseconds / 1000) : 0
  const samples =
    loop.count === 0
      ? [0, 0, 0]
      : [loop.percentile(50), loop.percentile(99), loop.max].map((value) => delay(value))
  loop.reset()
  return {
    name: 'latchkey_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last scrape, by percentile.',
    type: 'gauge',
    samples: ['50', '99', '100'].map((percentile, i) => ({
      labels: { percentile },
      value: samples[i] ?? 0,
    })),
  }
}

const counter = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: 'counter',
  samples: [{ labels: {}, value }],
})

export const createProcessGauges = (): (() => Promise<readonly MetricFamily[]>) => {
  let measuring: Promise<Measuring> | null = null
  return async () => {
    measuring ??= begin()
    const { loop, collected } = await measuring
    const { user, system } = process.cpuUsage()
    return [
      memoryFamily(),
      loopFamily(loop),
      counter(
        'latchkey_gc_runs_total',
        'Garbage collections since the first scrape.',
        collected.count,
      ),
      counter(
        'latchkey_gc_seconds_total',
        'Time in garbage collections since the first scrape.',
        collected.milliseconds / 1000,
      ),
      counter('latchkey_cpu_seconds_total', 'CPU time of the process.', (user + system) / 1e6),
      gauge('latchkey_uptime_seconds', 'Time since the start of the process.', process.uptime()),
    ]
  }
}
