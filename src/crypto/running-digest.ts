/** SHA-256 over a text that comes piece by piece, such as the rows of a backup. */
import { createHash } from 'node:crypto'

export interface RunningDigest {
  add(text: string): void
  /** In hexadecimal digits, as `sha256sum` writes it. Nothing can be added afterwards. */
  end(): string
}

export const runningDigest = (): RunningDigest => {
  const hash = createHash('sha256')
  return {
    add: (text) => {
      hash.update(text)
    },
    end: () => hash.digest('hex'),
  }
}
