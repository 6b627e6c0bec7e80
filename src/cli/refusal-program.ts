/** The flags of `latchkey explain`. */
import type { Command } from 'commander'
import { explainRefusal } from './admin/refusal.ts'
import { apiCommand } from './tree.ts'

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
}
