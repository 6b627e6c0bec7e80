/** The records of the features. None of their rows refers to another feature. */

export const featureRecords = [] as const
