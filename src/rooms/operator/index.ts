/** For whoever runs the service: whether it lives, its metrics, and the view of an operator. */
import type { AskMetrics } from '../../events/monitoring.ts'
import { type FormerRow, monitored, page } from '../../route.ts'
import { live, readyEndpoint } from './health.ts'
import { metricsEndpoint } from './metrics.ts'
import { changeOperatorView, showOperatorPage } from './operator.ts'

export const operatorRows = (metrics: AskMetrics): readonly FormerRow[] => [
  { ...page, method: 'GET', path: '/operator', handler: showOperatorPage },
  { ...page, method: 'POST', path: '/operator', handler: changeOperatorView },
  { ...monitored, path: '/health/live', handler: live },
  { ...monitored, path: '/health/ready', handler: readyEndpoint() },
  { ...monitored, path: '/metrics', handler: metricsEndpoint(metrics) },
]
