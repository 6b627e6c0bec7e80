/** When the service is to end: on a signal, or when the launcher that started it is gone. */

/**
 * Resolves at the first of them. Later signals change nothing. A terminal signals its whole group,
 * and npm and the launcher pass signals on, so one signal comes up to three times.
 */
export const whenAskedToEnd = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
  })
