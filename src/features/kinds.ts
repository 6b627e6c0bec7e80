/** The credentials of the features, by their prefixes. */

export const featureKinds = { lk_dc_: 'a device code', lk_ar_: 'an auth_req_id' } as const
