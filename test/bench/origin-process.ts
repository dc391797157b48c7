/** An origin in a process of its own, as it is installed, and what the kernel says about that process. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { serverFlags } from '../../origin/setup/run.mjs'
import { freePort } from '../helpers/free-port.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname

export interface Side {
  readonly url: string
  readonly pid?: number
  stop(): Promise<void>
}

/** Memory in RAM, in KiB. */
export function resident(pid: number): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? 0)
}

/** The time that a process and its threads have spent on processors, in ms. Source: proc(5), `utime` and `stime`. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticksPerSecond = 100
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

export async function openOrigin(): Promise<Side> {
  const port = await freePort()
  const folder = temporaryFolder('bench-http')
  const child = spawn(
    process.execPath,
    [...serverFlags, 'origin/server.ts', '--workdir', folder, '--prewarm', 'false', '--port', String(port)],
    {
      cwd: root,
      env: { ...process.env, SERVICE_LOG_LEVEL: 'error' },
      stdio: 'ignore',
    },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600; tries++) {
    if (
      await fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
