import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = `
  import { createOffice } from ${JSON.stringify(new URL('office.ts', import.meta.url).href)}
  const office = createOffice({ factories: 2 })
  // Two documents at once need both processes.
  const text = '<html><body><p>A</p></body></html>'
  await Promise.all([office.convert(text, 'html', 'odt'), office.convert(text, 'html', 'odt')])
  console.log(JSON.stringify(office.engine.stats().pids))
  setInterval(() => undefined, 1000)
`
const children = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
const running = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

it('leaves no office behind when the service is killed', async () => {
  const service = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
  })
  try {
    const lines = createInterface(service.stdout)[Symbol.asyncIterator]()
    const bridges = JSON.parse((await lines.next()).value as string) as number[]
    const all = [...bridges, ...bridges.flatMap(children)]
    expect(all.length).toBe(4)
    expect(all.every(running)).toBe(true)
    service.kill('SIGKILL')
    for (let tries = 0; tries < 100 && all.some(running); tries += 1) await sleep(50)
    expect(all.filter(running)).toEqual([])
  } finally {
    service.kill('SIGKILL')
  }
})
