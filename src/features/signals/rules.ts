/** The rules behind the refusals about streams. */
import type { RulesBySource } from '../../protocol/rules/rule.ts'

export const signalRules: RulesBySource = {
  'OpenID Shared Signals Framework section 8.1.1': {
    no_api_of_streams: [
      'Let the operator add the client to introspection_clients of the resource.',
      'client_id',
    ],
    malformed_stream: ['Send the member as the refusal says.', 'body'],
    too_many_streams: ['Delete a stream that you do not need.', 'body'],
    no_such_stream: [
      'List your streams: this one is gone, or is not yours.',
      'stream_id',
      'the stream_id of a stream of this client',
    ],
  },
  'OpenID Shared Signals Framework section 8.1.4': {
    too_many_verifications: ['Wait as Retry-After says.', 'stream_id'],
  },
  'RFC 8936 section 2.2': {
    malformed_signal_poll: ['Send the member as the refusal says.', 'body'],
  },
}
