/**
 * Loaded before every test file: finds the modules of the checkout at once. Node looks several times
 * for each of 700 modules, and spends a third of the load on it.
 */
import { registerHooks } from 'node:module'
import './tracking.ts'
import './writer.ts'

const seeded = new URL('./seed.ts', import.meta.url).href
const quick = new URL('./quick-hashes.ts', import.meta.url).href
const sources = new URL('../../src/', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    // Properties are tried with the seed of this run, and few files have properties.
    if (specifier === 'fast-check' && parentURL !== seeded)
      return { url: seeded, shortCircuit: true }
    if (specifier === '@node-rs/argon2' && parentURL?.startsWith(sources) === true)
      return { url: quick, format: 'module-typescript', shortCircuit: true }
    const isOurs = /^\.\.?\/.*\.ts$/.test(specifier) && parentURL?.startsWith('file:') === true
    if (!isOurs) return next(specifier, context)
    const { href } = new URL(specifier, parentURL)
    return { url: href, format: 'module-typescript', shortCircuit: true }
  },
})
