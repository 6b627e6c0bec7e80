/** What the metadata of an endpoint says about client authentication (RFC 8414 section 2). */
import type { ClientMethod } from './method.ts'

/** @param endpoint the beginning of the names, such as `token` */
export const describeMethods = (
  endpoint: string,
  methods: readonly ClientMethod[],
): Readonly<Record<string, readonly string[]>> => {
  const algorithms = new Set(methods.flatMap(({ signingAlgorithms = [] }) => signingAlgorithms))
  return {
    [`${endpoint}_endpoint_auth_methods_supported`]: methods.map(({ name }) => name),
    ...(algorithms.size === 0
      ? {}
      : { [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: [...algorithms] }),
  }
}
