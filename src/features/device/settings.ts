/** The limits of device authorizations that an operator may set. */

export const deviceSettings = {
  deviceCodeSeconds: {
    fallback: 600,
    least: 10,
    most: 1800,
    meaning: 'The codes of a device: until then somebody has to approve it.',
    when: 'People need longer to reach a browser, or a rule wants a shorter time.',
  },
} as const
