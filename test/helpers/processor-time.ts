/**
 * Milliseconds of processor time that this process has used since `begun` (`process.cpuUsage()`), its threads included.
 * Unlike time on the clock it hardly grows when other programs compete for the processors.
 */
export function processorTime(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

/**
 * How many times longer work takes at this moment than it would alone: 1 on an idle machine, about 8 where eight
 * programs compete for each processor. Work in other processes is given its time on the clock in multiples of this.
 */
export function slowdown(): number {
  const begun = performance.now()
  const before = process.threadCpuUsage()
  while (performance.now() - begun < 100);
  const { user, system } = process.threadCpuUsage(before)
  return Math.max(1, (performance.now() - begun) / ((user + system) / 1000))
}
