/** `GET /admin/settings`: the effective settings and their sources. */
import { describeLimits, describeSettings } from '../../config/described.ts'
import { renderSettings } from '../../pages/console/settings.ts'
import { consolePage } from '../door/console.ts'
import { showPage } from '../door/page.ts'

export const showSettings = consolePage((visit, { settings }) =>
  showPage(
    visit,
    renderSettings(visit.given, describeSettings(settings), describeLimits(settings)),
  ),
)
