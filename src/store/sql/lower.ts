/** Lower case as the function `lower` of both engines has it. */

/**
 * Lowers letters of ASCII alone. PostgreSQL would lower a parameter by the language of the database,
 * and a column by that of our tables.
 */
export const lowerAscii = (given: string): string =>
  given.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
