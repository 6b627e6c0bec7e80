/** Cleans up after a command, also after a signal. */

/** Without a handler these end a process at once. */
export const ends = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** @param remove before a signal ends the process @returns forgets that again */
export const removeAtEnd = (remove: () => void): (() => void) => {
  const end = (signal: NodeJS.Signals): void => {
    forget()
    remove()
    process.kill(process.pid, signal)
  }
  const forget = (): void => {
    for (const signal of ends) process.off(signal, end)
  }
  for (const signal of ends) process.on(signal, end)
  return forget
}
