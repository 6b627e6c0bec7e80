/** Words around every form for a passkey. */
import { defineWords } from '../catalog.ts'

export const passkeyWords = defineWords('passkeys', {
  needs: 'A passkey can be used where JavaScript is on and the browser knows passkeys.',
  failed: 'That did not work, or it was cancelled. You can try again.',
})
