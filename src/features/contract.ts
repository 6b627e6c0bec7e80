/** What the features ask of the store. */

export type FeatureSteps = object
