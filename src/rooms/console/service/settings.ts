/** `GET /admin/settings`: the effective settings and their sources. */
import { describeLimits, describeSettings } from '../../../config/described.ts'
import { showPage } from '../../visit.ts'
import { consolePage } from '../visit.ts'
import { renderSettings } from './settings-page.ts'

export const showSettings = consolePage((visit, { settings }) =>
  showPage(
    visit,
    renderSettings(visit.given, describeSettings(settings), describeLimits(settings)),
  ),
)
