/** What a client registers about backchannel requests. */

/** Members of a registration about backchannel requests (OpenID CIBA section 4). */
export interface BackchannelClient {
  /** How it learns of the decision. Absent: it polls. */
  readonly backchannel_token_delivery_mode?: 'poll' | 'ping'
  /** Where pings go. */
  readonly backchannel_client_notification_endpoint?: string
  /** The one algorithm of its signed requests. Absent: its requests are not signed. */
  readonly backchannel_authentication_request_signing_alg?: string
}
