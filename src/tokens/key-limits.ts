/** Limits of the keys of the service: when a new one comes, and how nodes hear of it. */
export const keyLimits = {
  /** Sealing keys: a new one so often, known to all nodes so long before its first use. */
  keyRotationSeconds: 30 * 24 * 3600,
  keyPublishSeconds: 3600,
  /** What `key rotate --now` waits instead, for every node to know the key. */
  keyHurrySeconds: 8,
  /** Secrets that are wrapped anew in one step. */
  rewrapRows: 100,
} as const
