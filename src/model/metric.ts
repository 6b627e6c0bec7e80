/** A metric as a value: a family of samples of one name, whichever format it is told in. */

/** The labels of a sample; their values are stable words. */
export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

/** How often a value was within each bound. */
export interface Spread {
  readonly labels: Labels
  /** One more than there are bounds: the last is for all that is above them. Not added up. */
  readonly counts: readonly number[]
  readonly sum: number
}

interface AnyFamily {
  readonly name: string
  readonly help: string
}

export type MetricFamily =
  | (AnyFamily & { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] })
  | (AnyFamily & {
      readonly type: 'histogram'
      /** Upper bounds, ascending. */
      readonly bounds: readonly number[]
      readonly spreads: readonly Spread[]
    })

/** A gauge without labels. */
export const gauge = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples: [{ labels: {}, value }],
})
