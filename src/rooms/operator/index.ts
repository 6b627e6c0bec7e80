/** For whoever runs the service: whether it lives, its metrics, and the view of an operator. */
import type { AskMetrics } from '../../events/monitoring.ts'
import type { ServiceParts } from '../../registries.ts'
import type { RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import { openHealth } from './health.ts'
import { openMetricsPath } from './metrics.ts'
import { openOperatorPage } from './operator.ts'

export const openOperator = (
  needs: ServiceParts,
  pages: Pages,
  metrics: AskMetrics,
): readonly RouteRow[] => [
  ...openOperatorPage(needs, pages),
  ...openHealth(needs),
  ...openMetricsPath(needs, metrics),
]
