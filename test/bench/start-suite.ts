import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { markdownTable, median, short } from './statistics.ts'

const root = new URL('../..', import.meta.url).pathname
const rounds = 5

/** `npm start`, with set-up that finds nothing to do: time to the first /status and to the first PDF. */
export async function startSuite(): Promise<object> {
  const template = readFileSync(`${root}test/fixtures/templates/letter/template.docx`).toString('base64')
  const data = JSON.parse(readFileSync(`${root}test/fixtures/templates/letter/data.json`, 'utf8')) as unknown
  const body = JSON.stringify({ data, convertTo: 'pdf', template })
  const status: number[] = []
  const pdf: number[] = []
  for (let round = 0; round < rounds; round++) {
    const port = await freePort()
    const folder = temporaryFolder('bench-start')
    const started = performance.now()
    const environment = {
      ...process.env,
      SERVICE_PORT: String(port),
      SERVICE_DATA_DIR: folder,
      SERVICE_LOG_LEVEL: 'error',
    }
    const child = spawn('npm', ['start'], { cwd: root, env: environment, stdio: 'ignore', detached: true })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    try {
      await until(async () => (await fetch(`http://127.0.0.1:${port}/status`)).ok)
      status.push(performance.now() - started)
      const answer = await fetch(`http://127.0.0.1:${port}/render/template?download=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (new TextDecoder().decode(bytes.subarray(0, 5)) !== '%PDF-')
        throw new Error('The first answer is not a PDF.')
      pdf.push(performance.now() - started)
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const rows = [
    ['first /status', short(median(status) / 1000), '2'],
    ['first PDF', short(median(pdf) / 1000), '5'],
  ]
  console.log(`\n## Start\n\n${markdownTable(['from npm start', 's, median', 'bar'], rows)}`)
  return { status, pdf }
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (await done().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The service did not start.')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
