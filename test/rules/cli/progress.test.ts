/** Progress as it is shown: a bar at a terminal, lines in a log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showProgress } from '../../../src/cli/progress.ts'
import type { Progress } from '../../../src/store/transfer/copy.ts'

const steps: readonly Progress[] = [
  { doing: 'copying', table: 'item_counts', fraction: 0 },
  { doing: 'copying', table: 'item_counts', fraction: 0.001 },
  { doing: 'copying', table: 'item_counts', fraction: 0.09 },
  { doing: 'copying', table: 'item_counts', fraction: 0.5 },
  { doing: 'comparing', table: 'events', fraction: 1 },
]

const show = (isTTY: boolean): readonly string[] => {
  const written: string[] = []
  const { tell, end } = showProgress({ isTTY, write: (text) => written.push(text) })
  for (const step of steps) tell(step)
  end()
  return written
}

test('a terminal has one line that is written again at every percent, and gone at the end', () => {
  assert.deepEqual(show(true), [
    '\r\u001b[K[..............................]   0 %  copying item counts',
    '\r\u001b[K[##............................]   9 %  copying item counts',
    '\r\u001b[K[###############...............]  50 %  copying item counts',
    '\r\u001b[K[##############################] 100 %  comparing events',
    '\r\u001b[K',
  ])
})

test('a log has a line for each thing that is done and each tenth', () => {
  assert.deepEqual(show(false), [
    '  0 %  copying item counts\n',
    ' 50 %  copying item counts\n',
    '100 %  comparing events\n',
  ])
})
