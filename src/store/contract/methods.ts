/**
 * What the names of the contract's methods say: `find`, `list`, `count` and `is` read, and every other
 * method is a step. Drivers and the cache derive their types from this.
 */

export type ReadName<Contract> = Extract<
  keyof Contract,
  `${'find' | 'list' | 'count' | 'is'}${Capitalize<string>}`
>

export type StepNameOf<Contract> = Exclude<keyof Contract, ReadName<Contract>> & string

type Invalidates<Method> = Method extends (...args: infer Args) => unknown
  ? 'nothing' | ((...args: Args) => readonly string[])
  : never

/**
 * What each step invalidates in the cache: the names of things (`memory/things.ts`), by the arguments
 * of the step, or nothing.
 */
export type Invalidations<Contract> = {
  readonly [Name in StepNameOf<Contract>]: Invalidates<Contract[Name]>
}
