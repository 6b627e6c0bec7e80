/** Words of the page of the console that explains refused requests. */
import { defineWords, message } from '../../../paper/catalog.ts'

export const consoleRefusalsWords = defineWords('console-refusals', {
  heading: 'Explain a refusal',
  reference: 'Reference',
  hint: 'It is on the page, in the answer and in the log, and is kept for seven days.',
  explain: 'Explain',
  notKept: message('Nothing is kept under {reference}. Look for it in the log, as requestId.', {
    reference: 'markup',
  }),
  latest: 'Refusals of the last seven days',
  none: 'Nothing was refused.',
  time: 'Time',
  request: 'Request',
  answer: 'Answer',
  rule: 'Rule',
  ruleHint: 'As in the list',
  error: 'Error code',
  route: 'Path',
  status: 'Status',
  received: 'Received',
  expected: 'Expected',
  difference: 'Difference',
  fix: 'Fix',
  application: 'Application',
  named: message('{id}, named and not authenticated', { id: 'markup' }),
  owner: 'User',
  network: 'Network',
  keptUntil: 'Kept until',
})
