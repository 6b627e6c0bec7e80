/** The limits of device authorizations that an operator may set. */

export const deviceSettings = {
  deviceCodeSeconds: {
    fallback: 600,
    least: 10,
    most: 1800,
    meaning: 'The codes of a device: until then somebody has to approve it.',
    when: 'People need longer to reach a browser, or a rule wants a shorter time.',
  },
  deviceIntervalSeconds: {
    fallback: 5,
    least: 1,
    most: 60,
    meaning:
      'How long a device waits between two polls of /token, unless it was told to slow down.',
    when: 'Very many devices wait at once, or one should hear of its approval sooner.',
  },
} as const
