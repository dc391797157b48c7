import { execFile } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { readCommand } from '../../../origin/setup/run.mjs'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const root = new URL('../../../', import.meta.url)

it('the start installs nothing for a service whose port is taken', async () => {
  const clone = `${temporary()}/`
  for (const path of ['origin/setup', 'package.json', 'package-lock.json'])
    cpSync(new URL(path, root), `${clone}${path}`, { recursive: true })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const args = [`${clone}origin/setup/run.mjs`, 'start', '--port', String(port)]
    const said = await new Promise((resolve) =>
      execFile(process.execPath, args, { cwd: clone }, (error, _, stderr) => resolve([error?.code, stderr])),
    )
    expect(said).toEqual([1, expect.stringMatching(`^Port ${port} of .* is taken .*Nothing was installed`)])
    expect(existsSync(`${clone}node_modules`)).toBe(false)
  } finally {
    server.close()
  }
})

it('--with-office-alt installs engine O and is not passed to the service', () => {
  const { command, args } = readCommand('start', ['--port', '4000', '--with-office-alt'])
  expect([command?.groups, args]).toEqual([
    ['service', 'office-alt'],
    ['--port', '4000'],
  ])
  expect(readCommand('start', []).command?.groups).toEqual(['service'])
  expect(readCommand('constructor', []).command).toBeUndefined()
})
