/** The credentials of the features, by their prefixes. */

export const featureKinds = { lk_dc_: 'a device code' } as const
