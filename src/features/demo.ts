/** The clients of the features in the demo. */

export const featureClients = [] as const
