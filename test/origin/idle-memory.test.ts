import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environment } from '../../origin/setup/run.mjs'
import { freePort } from '../helpers/free-port.ts'
import { kill } from '../helpers/kill.ts'
import { useTemporary } from '../helpers/temporary.ts'

const server = new URL('../../origin/server.ts', import.meta.url)
const megabyte = 2 ** 20
const temporary = useTemporary()

/** An idle origin is measured at 115 MB, and at 133 MB where the cache of compiled modules is still empty. */
const maxResidentMegabytes = 150

/** Libraries that only a job needs. Together they are more than the whole idle process. */
const onFirstUse = [
  ...['puppeteer-core', 'libreoffice-convert', 'hast-util-from-html', 'mdast-util-from-markdown', 'parse5'],
  ...['hyparquet-writer', '@e965/xlsx', 'jszip', 'fast-xml-parser', 'fflate', 'pdf-lib', 'bidi-js'],
  ...['harfbuzzjs', 'sharp', 'echarts', 'bwip-js', 'jose', '@aws-sdk/client-s3', '@azure/storage-blob'],
  ...['pg', 'bullmq', 'ioredis'],
]

test('an idle origin whose engines have not started holds less than 150 MB', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [server.pathname], {
    env: {
      ...environment(),
      SERVICE_PORT: String(port),
      SERVICE_WORKDIR: temporary(),
      SERVICE_PREWARM: 'false',
    },
    stdio: 'ignore',
  })
  const gone = once(child, 'exit')
  try {
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/status?ready=1`)).ok
    await expect.poll(() => isReady().catch(() => false), { interval: 200 }).toBe(true)
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const resident = (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / megabyte
    expect(resident).toBeGreaterThan(40) // that of Node alone
    expect(resident).toBeLessThan(maxResidentMegabytes)
  } finally {
    kill(child.pid, 'SIGTERM')
    await gone
  }
})

test('the modules of the server import no library that only a job needs', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const packages = new Set()
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules\\/)/.exec(url)?.[1]
        if (name !== undefined) packages.add(name)
        return next(url, context)
      },
    })
    await import(${JSON.stringify(server.href)})
    console.log(JSON.stringify([...packages]))
  `
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const packages = JSON.parse(output) as string[]
  expect(packages).toContain('fastify')
  expect(packages.filter((name) => onFirstUse.includes(name))).toEqual([])
})
