/** Words of the console about streams of signals. */
import { defineWords } from '../../paper/catalog.ts'

export const consoleStreamsWords = defineWords('console-streams', {
  heading: 'Streams of signals',
  about: 'APIs hear by these of tokens that end. An API opens its streams by itself.',
  none: 'No API has opened a stream.',
  search: 'Filter',
  client: 'Application',
  delivery: 'Delivery',
  push: 'Push',
  poll: 'Poll',
  status: 'Status',
  enabled: 'Enabled',
  paused: 'Paused',
  disabled: 'Disabled',
  reason: 'Reason',
  description: 'Description',
  created: 'Opened',
  taken: 'Last taken',
  never: 'Never',
  waiting: 'Sets that wait',
  seconds: '{count, plural, one {# second} other {# seconds}}',
  remove: 'End the stream',
  removeEffect: 'The API hears nothing more by it, until it opens another one.',
  removeNow: 'End it now',
  done: { removed: 'The stream has ended.' },
})
