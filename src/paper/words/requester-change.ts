/** Words for what a client changed about itself since an owner approved something. */
import { defineWords, message } from '../catalog.ts'

export const requesterChangeWords = defineWords('requester-change', {
  name: message('Its name was {before}. It is now {now}.', { before: 'markup', now: 'markup' }),
  hosts: message('It sent you to {before}. It now sends you to {now}.', {
    before: 'markup',
    now: 'markup',
  }),
  responseTypes: message('It received its access as {before}. It can now receive it as {now}.', {
    before: 'markup',
    now: 'markup',
  }),
  method: message('It proved who it is by {before}. It now does so by {now}.', {
    before: 'markup',
    now: 'markup',
  }),
})
