/**
 * Kills one process. A pid that was never read is told instead: 0 and below mean whole groups of processes to the
 * kernel (kill(2)), the one that runs the tests among them.
 */
export function kill(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined || !(pid > 1)) throw new Error(`There is no process to kill (pid ${pid}).`)
  process.kill(pid, signal)
}
