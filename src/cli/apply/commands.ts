/** `latchkey apply FILE` and `latchkey export --apply`. */
import { UsageFault } from '../../config/remote.ts'
import { yes } from '../../operations/surface/cli.ts'
import {
  type CommandOutput,
  escapeForTerminal,
  joinTexts,
  show,
} from '../../operations/surface/said.ts'
import { confirm } from '../admin/work.ts'
import { useApi } from '../open-api.ts'
import { countOf } from '../progress.ts'
import type { Flags } from '../store.ts'
import type { CommandLine } from '../tree.ts'
import { type CarriedOut, carryOut } from './carry-out.ts'
import { writeState } from './export.ts'
import { readApplyFile } from './file.ts'
import { makePlan, type Plan, type PlannedChange, sayChange, sayPlan } from './plan.ts'

/** The exit code of a dry run that found differences. */
const differs = 3

const describeChange = ({ action, kind, id, difference }: PlannedChange) => ({
  action,
  kind: kind.name,
  id,
  difference,
})

const describePlan = ({ changes, kept }: Plan, carried: readonly CarriedOut[] | null) => ({
  changes:
    carried?.map(({ change, outcome, reason }) => ({
      ...describeChange(change),
      outcome,
      reason,
    })) ?? changes.map(describeChange),
  kept: kept.map(({ kind, id, why }) => ({ kind: kind.name, id, reason: why })),
})

const sayOutcome = ({ change, outcome, reason }: CarriedOut): string =>
  `${outcome}: ${sayChange(change)}${reason === null ? '' : `: ${show(reason)}`}`

const sayCount = ({ changes }: Plan): string => countOf(changes.length, 'change', 'changes')

const sayEndings = ({ changes }: Plan): string | null =>
  changes.some(({ action, kind }) => action === 'delete' && kind.name !== 'groups')
    ? 'Deleted (-) is for good: tokens and approvals end with it.'
    : null

type AppliedOutput = CommandOutput & { readonly exitCode: number }

/** Says a plan that is not carried out: there is nothing to do, or it was only asked for. */
const sayUndone = (plan: Plan): AppliedOutput => {
  const isSame = plan.changes.length === 0
  const said = isSame ? 'Nothing to change.' : `${sayCount(plan)}, and nothing was written.`
  return {
    json: describePlan(plan, null),
    text: joinTexts(sayPlan(plan), said, sayEndings(plan)),
    exitCode: isSame ? 0 : differs,
  }
}

const apply = async (flags: Flags, path: string, command: string): Promise<AppliedOutput> => {
  const wanted = await readApplyFile(path)
  const plan = await useApi(flags, { command }, (api) =>
    makePlan(api, wanted, flags.prune === true),
  )
  if (plan.changes.length === 0 || flags.dryRun === true) return sayUndone(plan)
  const shown = escapeForTerminal(sayPlan(plan))
  await confirm(
    joinTexts(shown, `${sayCount(plan)}.`, sayEndings(plan)),
    flags,
    'nothing was written',
  )
  // No store is held while a person reads. Each step compares what the plan has seen.
  const carried = await useApi(flags, { command }, (api) => carryOut(api, plan))
  const isWhole = carried.every(({ outcome, reason }) => outcome === 'done' && reason === null)
  return {
    json: describePlan(plan, carried),
    text: joinTexts(flags.yes === true ? sayPlan(plan) : null, carried.map(sayOutcome).join('\n')),
    exitCode: isWhole ? 0 : 1,
  }
}

export const applyLine: CommandLine = {
  usage: 'apply <file>',
  does: 'make resources, groups, clients and trusted issuers as a file says; shows the difference and asks. Exit code 1 if a change was refused, 3 if a dry run finds differences',
  examples: [
    'latchkey apply latchkey.yaml --dry-run',
    'latchkey apply latchkey.yaml --prune --yes',
  ],
  server: true,
  flags: [
    ['--dry-run', 'show the difference, and write nothing'],
    ['--prune', 'delete what the file lacks, of the kinds in it, with its approvals and tokens'],
    yes,
  ],
  run: (flags, [path = ''], command) => apply(flags, path, command),
}

export const exportLine: CommandLine = {
  usage: 'export',
  does: 'write what there is as a file for latchkey apply, without secrets',
  examples: ['latchkey export --apply > latchkey.yaml'],
  server: true,
  json: false,
  flags: [['--apply', 'in the form of latchkey apply', 'needed']],
  async run(flags, _names, command) {
    if (flags.apply !== true) throw new UsageFault('name the form of the file: --apply')
    return escapeForTerminal(await useApi(flags, { command }, writeState))
  },
}
