import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { serverFlags } from '../../origin/setup/run.mjs'

it('the limit of the new space of the process that serves does not hold for its threads', () => {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { isMainThread, parentPort, Worker } from 'node:worker_threads'
    const newSpaceAfterLoad = () => {
      let live = []
      for (let round = 0; round < 60; round++) {
        live = live.slice(-400)
        for (let count = 0; count < 400; count++) live.push(new Array(2000).fill(count))
      }
      const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      return Math.round(space.space_size / 1048576)
    }
    if (isMainThread) {
      const { resourceLimitsOf } = await import(${JSON.stringify(new URL('../../origin/thread-memory.ts', import.meta.url).href)})
      const thread = new Worker(new URL(import.meta.url), { resourceLimits: resourceLimitsOf(512, 48) })
      thread.on('message', (ofThread) => console.log(JSON.stringify([newSpaceAfterLoad(), ofThread])))
    } else parentPort.postMessage(newSpaceAfterLoad())
  `
  const url = `data:text/javascript,${encodeURIComponent(script)}`
  const args = [...serverFlags, '--input-type=module', '--eval', `await import(${JSON.stringify(url)})`]
  const [ofMain, ofThread] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  expect(ofMain).toBeLessThanOrEqual(16) // two halves of 8 MB
  expect(ofThread).toBeGreaterThan(ofMain)
})
