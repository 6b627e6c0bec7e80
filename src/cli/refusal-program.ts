/** The flags of `latchkey explain` and `latchkey refusal`. */
import type { Command } from 'commander'
import { explainRefusal, listRefusals } from './admin/refusal.ts'
import { apiCommand, group } from './tree.ts'

export const addRefusalCommands = (program: Command): void => {
  apiCommand(
    program,
    'explain <reference>',
    {
      does: 'explain why a request was refused, by the reference in its answer, on its page or in the log',
      examples: ['latchkey explain 01m7yzpf0rrbsjtqm2r32a5wz5'],
    },
    explainRefusal,
  )
  const refusal = group(program, 'refusal', {
    does: 'list refused requests; latchkey explain tells all about one',
    examples: ['latchkey refusal list --since 1h'],
  })
  apiCommand(
    refusal,
    'list',
    {
      does: 'list the refusals of seven days, the newest first',
      examples: [
        'latchkey refusal list --client printer --since 24h',
        'latchkey refusal list --error invalid_grant --json',
      ],
    },
    listRefusals,
  )
    .option('--client <id>', 'only of this client')
    .option('--reason <rule>', 'only by this rule, such as unregistered_redirect_uri')
    .option('--error <code>', 'only with this error code, such as invalid_grant')
    .option('--network <network>', "only from this network, such as '192.0.2.*'")
    .option('--route <path>', 'only of this path, such as /token')
    .option('--status <number>', 'only with this status, such as 400')
    .option('--since <time>', 'from then on: 15m, 2h, 7d, unix seconds, or 2026-11-22T10:00:00Z')
    .option('--until <time>', 'up to then, written like --since')
    .option('--limit <number>', 'so many at most (default: 50)')
}
