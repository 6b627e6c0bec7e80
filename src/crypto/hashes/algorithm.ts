/** One algorithm of password hashes from elsewhere. */
export interface HashAlgorithm {
  /** Whether a stored text is of this algorithm. */
  owns(stored: string): boolean
  /** Why a text is not taken, in words for the operator; null = it can be verified at a bearable cost. */
  problem(stored: string): string | null
  /** Off the main thread. Only for a text without a problem. */
  verify(stored: string, password: string): Promise<boolean>
}
