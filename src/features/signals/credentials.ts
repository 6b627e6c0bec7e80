/** The headers that a push sends, as they lie in the rows of streams: wrapped by the root secret. */
import { getStreamPurpose } from '../../crypto/wrap.ts'
import type { WrappedRows } from '../../tokens/keys/wrapped-rows.ts'

const streams: WrappedRows<string> = {
  fact: 'stream credentials',
  wrapped:
    'headers of streams of signals lay in the database in clear, and are wrapped now: whoever read it before knows them',
  lost: 'headers of streams of signals are wrapped under another root secret. Give that as LATCHKEY_PREVIOUS_SECRET and run latchkey key rewrap, or let the APIs send them again',
  purposeOf: getStreamPurpose,
  async list(store) {
    const streams = await store.listSignalStreams(null)
    const rows = streams.flatMap(({ id, credential: secret }) =>
      secret === null ? [] : [{ id, secret }],
    )
    return { rows, next: null }
  },
  rewrap: (store, changes) => store.rewrapSignalCredentials(changes),
}

export const signalSecrets = { streams }
