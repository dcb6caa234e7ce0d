/** CPU time of the whole process since `before`, collector and compiler threads included, s. */
export function cpuSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
