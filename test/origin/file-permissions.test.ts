import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient } from '../contract/http/client.ts'
import { freePort } from '../helpers/free-port.ts'
import { kill } from '../helpers/kill.ts'
import { useTemporary } from '../helpers/temporary.ts'

/**
 * Every file that the service writes is its own: folders 0700, files 0600, whatever the umask, and also where an earlier release
 * left them open.
 */

const entries = {
  // Sets a umask of its own.
  'the service': '../../origin/server.ts',
  // Starts the same server as a library, under the umask that it finds.
  'a server in a program of somebody else': '../helpers/measured-origin-process.ts',
}
const temporary = useTemporary()

/** Everything below a folder that others may read, write or enter, with its permissions. */
function openTo(others: number, folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .concat(folder)
    .filter((path) => existsSync(path) && (lstatSync(path).mode & others) !== 0)
    .map((path) => `${relative(folder, path)} ${(lstatSync(path).mode & 0o777).toString(8)}`)
}

describe.each(Object.entries(entries))('%s', (_name, entry) => {
  let folder = ''
  let data = ''
  let pid: number | undefined
  let ended: Promise<unknown>
  let url = ''

  beforeAll(async () => {
    folder = join(temporary(), 'work')
    data = join(folder, '.data')
    // What an earlier release may have left.
    mkdirSync(data, { recursive: true })
    chmodSync(data, 0o755)
    writeFileSync(join(data, 'service.sqlite'), '')
    chmodSync(join(data, 'service.sqlite'), 0o644)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const changes = { dataDir: data, port }
    const child = spawn(
      'sh',
      [
        '-c',
        'umask 0; exec "$0" "$@"',
        process.execPath,
        fileURLToPath(new URL(entry, import.meta.url)),
        ...(entry.includes('helpers') ? [JSON.stringify(changes)] : []),
      ],
      {
        env: {
          ...process.env,
          SERVICE_WORKDIR: folder,
          SERVICE_DATA_DIR: data,
          SERVICE_PORT: String(port),
          SERVICE_PREWARM: 'false',
          SERVICE_MERGE_WORKERS: '1',
          SERVICE_LOG_LEVEL: 'error',
        },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    )
    pid = child.pid
    ended = once(child, 'exit')
    await vi.waitFor(async () => expect((await fetch(`${url}/status`)).status).toBe(200), {
      timeout: 60_000,
      interval: 100,
    })
  })
  afterAll(async () => {
    kill(pid, 'SIGTERM')
    await ended
  })

  it('writes nothing that others can read', async () => {
    const client = createClient(url)
    const { id } = await client.version('<p>{d.x}</p>')
    for (const convertTo of ['html', 'txt', 'md'])
      expect((await client.post(`/render/${id}`, { data: { x: 1 }, convertTo })).status).toBe(200)
    const names = readdirSync(data, { recursive: true, encoding: 'utf8' })
    expect(names.some((name) => name.includes('.sqlite'))).toBe(true)
    expect(names.length).toBeGreaterThan(4)
    expect(openTo(0o077, data)).toEqual([])
  })
})
