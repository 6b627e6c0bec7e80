/** `GET /admin/settings`: the effective settings and their sources. */
import { showPage } from '../../visit.ts'
import { consolePage } from '../visit.ts'
import { describeLimits, describeSettings, renderSettings } from './settings-page.ts'

export const showSettings = consolePage((visit, { settings }) =>
  showPage(
    visit,
    renderSettings(visit.given, describeSettings(settings), describeLimits(settings)),
  ),
)
