/**
 * The rules in one process. With a process for each file they would spend two thirds of their
 * processor time on starts: 60 seconds in place of 20.
 */
import { globSync } from 'node:fs'

const files = globSync('**/*.test.ts', { cwd: import.meta.dirname }).sort()
for (const file of files) await import(`./${file}`)
