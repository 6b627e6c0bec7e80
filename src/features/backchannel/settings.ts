/** The limits of backchannel requests that an operator may set. */

export const backchannelSettings = {
  backchannelRequestSeconds: {
    fallback: 300,
    least: 10,
    most: 3600,
    meaning:
      'A backchannel request: until then its owner has to decide. A client may ask for less.',
    when: 'People look at their requests late, or a rule wants a shorter time.',
  },
} as const
