/** The rules behind the refusals about grants. */
import type { RulesBySource } from '../../protocol/rules/rule.ts'

export const grantRules: RulesBySource = {
  'OpenID Grant Management section 5.1': {
    grant_of_public_client: [
      'Register the application as a client that authenticates, or leave the parameter out.',
      'grant_management_action client_id',
    ],
  },
  'OpenID Grant Management section 5.2': {
    unsupported_grant_management_action: [
      'Manage the grant at /authorize or /par, or leave the parameter out.',
      'grant_management_action',
    ],
    unsupported_grant_id: [
      'Manage the grant at /authorize or /par, or leave the parameter out.',
      'grant_id',
    ],
    missing_grant_action: [
      'Say what to do with the grant: update or replace.',
      'grant_management_action grant_id',
    ],
    bad_grant_management_action: [
      'Send one of the actions that the metadata name, or leave it out.',
      'grant_management_action',
    ],
    grant_id_to_create: [
      'Leave grant_id out for a new grant. To change one, send update or replace.',
      'grant_id grant_management_action',
    ],
    missing_grant_id: ['Name the grant that is to change.', 'grant_id'],
    details_beyond_grant: [
      'Replace the grant, or ask for fewer details.',
      'authorization_details grant_id',
    ],
  },
  'OpenID Grant Management section 5.3': {
    unknown_grant_id: [
      'Ask for a new grant with grant_management_action=create: this one has ended, or is not yours.',
      'grant_id',
    ],
  },
  'OpenID Grant Management section 5.4': {
    grant_without_code: ['Ask with response_type=code.', 'response_type grant_management_action'],
  },
  'OpenID Grant Management section 6.6': {
    no_such_grant: ['Forget the grant: it has ended, or is not yours.', 'path'],
  },
}
