/** A command to be copied: marked by hand, or by a button where scripts run. */
import { html, type Markup } from './markup.ts'

export const renderCommand = (command: string, label: string): Markup =>
  html`<pre class="command" tabindex="0" role="region" aria-label="${label}">${command}</pre>`
