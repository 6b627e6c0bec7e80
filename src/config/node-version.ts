/** Refuses an older Node in plain words. This file is imported first, before anything that Node lacks. */
const leastMajor = 24

if (Number.parseInt(process.versions.node, 10) < leastMajor) {
  throw new Error(
    `latchkey needs Node ${leastMajor} or later, and this is Node ${process.versions.node}`,
  )
}
