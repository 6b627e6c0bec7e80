/** The rules behind the refusals of the SCIM API. */
import { own, type RulesBySource } from '../../protocol/rules/rule.ts'

export const scimRules: RulesBySource = {
  'RFC 7644 section 3.4.2.2': {
    scim_bad_filter: ['Write the filter as the refusal says.', 'filter'],
  },
  'RFC 7644 section 3.5.2': {
    scim_bad_path: ['Name an attribute as /Schemas lists it.', 'path'],
    scim_bad_syntax: ['Send the member as the refusal says.', 'body'],
    scim_no_target: ['Name a value that there is, or add it.', 'path'],
    scim_read_only: ['Leave the attribute out: the service itself sets it.', 'path'],
  },
  'RFC 7644 section 3.12': {
    scim_bad_value: ['Send the attribute as the refusal says.', 'body'],
    scim_too_many: ['Ask for less at once, as the refusal says.', 'filter'],
    scim_taken: ['Choose another name or externalId.', 'body'],
    scim_unsupported: ['Send one request for each resource.', 'path'],
    scim_unknown_resource: ['Search it: it is gone, or another client keeps it.', 'path'],
  },
  'RFC 7644 section 3.14': {
    scim_other_version: ['Read the resource again, and send its entity tag.', 'If-Match'],
    scim_busy: ['Wait as Retry-After says.', 'path'],
  },
  'RFC 7644 section 4': {
    scim_filtered_discovery: ['Leave the filter out.', 'filter'],
  },
  [own('scim')]: {
    scim_protected: ['Let an operator do it in the console.', 'path'],
  },
}
