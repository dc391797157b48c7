/**
 * An origin in a process of its own that tells what its serving thread did: `fork` it, and ask by messages. The
 * configuration comes as JSON in the first argument.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startServer } from '../../origin/server.ts'
import type { MeasuredOptions, OriginFigures } from './measured-origin.ts'
import { testConfig } from './origin-config.ts'

const { measureDelay = false, ...changes }: MeasuredOptions = JSON.parse(process.argv[2] ?? '{}')
const { config, remove } = await testConfig(changes)
const server = await startServer(config)
const resolutionMs = 5
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
if (measureDelay) delay.enable()
let cpu = process.threadCpuUsage()
let longestTurnMs = 0
if (measureDelay) watchTurns()

process.on('message', async (asked: 'figures' | 'stop') => {
  if (asked === 'stop') {
    await server.stop()
    await remove()
    process.exit(0)
  }
  const { user, system } = process.threadCpuUsage(cpu)
  const figures: OriginFigures = {
    cpuMs: (user + system) / 1000,
    delayMs: delay.max / 1e6,
    longestTurnMs,
    rssMb: process.memoryUsage.rss() / 1048576,
  }
  process.send?.({ figures })
  cpu = process.threadCpuUsage()
  delay.reset()
  longestTurnMs = 0
})
// A test process that is killed tells nothing, and its origin would stay with all its programs.
process.once('disconnect', () => process.exit(1))
process.send?.({ url: server.url })

/** Keeps the most CPU time that this thread spent between two looks, which a busy turn of its event loop puts off. */
function watchTurns(): void {
  let before = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longestTurnMs = Math.max(longestTurnMs, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, resolutionMs).unref()
}
