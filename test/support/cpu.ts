/** What computing cost this process, however many others there are beside it. */
export const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
