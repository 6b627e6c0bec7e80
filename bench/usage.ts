/** Reading a command line: whoever asks for what there is not gets a sentence, not a trace. */

class UsageFault extends Error {}

/** Ends the program where it cannot do what was asked for. */
export const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

/** What was asked for; ends the program where that was help, or makes no sense. */
export const readArguments = <Options>(
  usage: string,
  parse: (args: readonly string[]) => Options,
): Options => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage)
    process.exit(0)
  }
  try {
    return parse(args)
  } catch (fault) {
    process.stderr.write(`${fault instanceof Error ? fault.message : fault}\n\n${usage}`)
    process.exit(2)
  }
}

/** @throws UsageFault, as all of these do */
export const listOf = <Known extends string>(
  name: string,
  text: string,
  known: readonly Known[],
): readonly Known[] =>
  text.split(',').map((word) => {
    const found = known.find((one) => one === word)
    if (found === undefined) {
      throw new UsageFault(`--${name}: expected any of ${known.join(', ')}, got ${word}`)
    }
    return found
  })

/** @param text such as `1.5`, `10k` or `5m` */
export const numberOf = (name: string, text: string, least: number): number => {
  const found = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text)
  const value =
    Number(found?.[1]) * { '': 1, k: 1e3, m: 1e6 }[(found?.[2] ?? '').toLowerCase() as '']
  if (value >= least) return value
  throw new UsageFault(`--${name}: expected a number from ${least} on, got ${text}`)
}

/** Different numbers, of whole things. */
export const numbersOf = (name: string, text: string, least: number): readonly number[] => {
  const numbers = text.split(',').map((one) => Math.round(numberOf(name, one, least)))
  if (new Set(numbers).size === numbers.length) return numbers
  throw new UsageFault(`--${name}: expected each number once, got ${text}`)
}

/** The name of a file. */
export const nameOf = (name: string, text: string): string => {
  if (/^\w[\w.-]*$/.test(text)) return text
  throw new UsageFault(`--${name}: expected letters, digits, '.', '_' and '-', got ${text}`)
}
