/** The pages of `docs/` that follow from the code: `npm run docs` writes them, a test compares them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limitNames, limitVariable, settableLimits } from '../../src/config/settable-limits.ts'
import { settingsTable } from '../../src/config/settings.ts'
import { describeFallback, type Setting } from '../../src/config/values.ts'
import { renderCommands } from './commands-page.ts'
import { renderEvents } from './events-page.ts'
import { renderRefusals, renderRfcs, renderRoutes } from './indexes.ts'
import { code, table } from './markdown.ts'
import { renderRegistries } from './registries-page.ts'

const root = join(import.meta.dirname, '../..')

const codeOrNothing = (text: string | null): string => (text === null ? '' : code(text))

const limitRow = (name: keyof typeof settableLimits): readonly string[] => {
  const { fallback, least, most, meaning, when } = settableLimits[name]
  const range = `${least} to ${most}`
  return [code(name), code(limitVariable(name)), String(fallback), range, meaning, when]
}

/** docs/settings.md */
const renderSettings = (): string => {
  const rows = Object.entries<Setting<unknown>>(settingsTable).map(([key, setting]) => [
    code(key),
    codeOrNothing(setting.environment),
    codeOrNothing(setting.flag),
    describeFallback(setting),
    setting.secret ? `${setting.meaning} *Secret.*` : setting.meaning,
    setting.when,
  ])
  return [
    '# Settings',
    '',
    'Generated from `src/config/settings.ts` by `npm run docs`.',
    '',
    'Flags override the environment, the environment overrides the file, and the file overrides the defaults. The',
    'file is `latchkey.config.json`, or the one that `--config PATH` names. It holds one JSON object with the keys of',
    'the first column. All faults are reported together, and the service does not start.',
    '',
    'A *secret* is never shown, and may be given as the path of a file that holds it: `LATCHKEY_SECRET_FILE`, or',
    '`secretFile` in the configuration file.',
    '',
    table(['Key', 'Environment', 'Flag', 'Default', 'Meaning', 'When to set it'], rows),
    '',
    '## Limits',
    '',
    'In the configuration file, limits stand in one object: `{"limits": {"keepAliveSeconds": 90}}`. They have no flags.',
    'A value out of its range is a fault. [limits.md](limits.md) lists the limits that are constants, and why.',
    'The rows are in `src/config/settable-limits.ts`.',
    '',
    table(
      ['Key', 'Environment', 'Default', 'Range', 'Meaning', 'When to set it'],
      limitNames.map(limitRow),
    ),
    '',
  ].join('\n')
}

export const generatedPages: readonly { readonly path: string; readonly render: () => string }[] = [
  { path: join(root, 'docs/registries.md'), render: renderRegistries },
  { path: join(root, 'docs/commands.md'), render: renderCommands },
  { path: join(root, 'docs/settings.md'), render: renderSettings },
  { path: join(root, 'docs/events.md'), render: renderEvents },
  { path: join(root, 'docs/refusals.md'), render: renderRefusals },
  { path: join(root, 'docs/rfcs.md'), render: renderRfcs },
  { path: join(root, 'docs/routes.md'), render: renderRoutes },
]

if (process.argv[1] === import.meta.filename) {
  for (const { path, render } of generatedPages) writeFileSync(path, render())
}
