/** Rules behind the refusals of device authorization. */
import { own, type RulesBySource } from '../../protocol/rules/rule.ts'

export const deviceRules: RulesBySource = {
  'RFC 8628 section 3.1': {
    device_grant_not_registered: [
      'Register the grant type urn:ietf:params:oauth:grant-type:device_code.',
      'client_id grant_types',
    ],
    device_request_too_long: ['Ask for less in one request, such as fewer details.', 'scope'],
  },
  'RFC 8628 section 3.3': {
    wrong_user_code: [
      'Type the code that the device shows. A code works once, and for minutes only.',
      'user_code',
      'a code that a device shows now',
    ],
    device_decision: ['Press one of the buttons of the page.', 'decision', 'continue or deny'],
    device_over: ['Let the device show a new code.', 'user_code', 'a code without a decision yet'],
    client_of_request_gone: [
      'Ask the operator: the application was deleted or disabled.',
      'client_id',
    ],
  },
  'RFC 8628 section 3.4': {
    malformed_device_code: ['Send the device_code as it was issued.', 'device_code'],
    unknown_device_code: [
      'Begin again at the device authorization endpoint.',
      'device_code',
      'a device_code of this server',
    ],
    device_code_of_other_client: [
      'Poll with the client that asked for the code.',
      'device_code client_id',
      'a device_code of this client',
      'unknown_device_code',
    ],
    used_device_code: ['Use the tokens that the code was redeemed for.', 'device_code'],
    device_code_of_ended_authorization: [
      'Begin again: the user has taken the approval back.',
      'device_code',
    ],
  },
  'RFC 8628 section 3.5': {
    device_pending: ['Ask again after the interval.', 'device_code'],
    device_too_soon: [
      'Wait five seconds longer between two polls than before, until the end.',
      'device_code',
    ],
    device_denied: ['Tell the user, and begin again only if the user wants it.', 'device_code'],
    device_code_expired: ['Begin again, once the user wants to.', 'device_code'],
  },
  [own('device')]: {
    devices_of_address: [
      'Wait until earlier codes of devices at the same address have expired.',
      'client_id',
    ],
    devices_of_network: [
      'Wait until codes of devices in the same network have expired.',
      'client_id',
    ],
    devices_in_all: ['Wait a minute, and ask again.', 'client_id'],
  },
}
