import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { createApp } from '../../../origin/app.ts'
import { backupCommand, restoreCommand } from '../../../origin/cli/backup.ts'
import type { OriginConfig } from '../../../origin/config.ts'
import { createServices } from '../../../origin/services.ts'
import { createClient } from '../../contract/http/client.ts'
import { testConfig } from '../../helpers/origin-config.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const folders: string[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})
const freshFolder = async () => {
  const folder = temporaryFolder('backup-test')
  folders.push(folder)
  return folder
}
const serving = async (config: OriginConfig) => {
  const services = await createServices(config)
  const app = createApp(services)
  const client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
  const stop = async () => {
    app.server.closeAllConnections()
    await app.close()
    await services.stop()
  }
  return { client, stop }
}

it('a backup of a running service, restored elsewhere, has its templates, renders and keys', async () => {
  const printed = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const spy of printed) spy.mockImplementation(() => {})
  const { config, remove } = await testConfig({ mergeWorkers: 1, prewarm: false })
  const workdir = await freshFolder()
  const first = { ...config, workdir }
  const running = await serving(first)
  const kept = await running.client.version('kept {d.a}', { tags: '["one"]' })
  const { renderId } = (await running.client.post(`/render/${kept.id}`, { data: { a: 1 } })).body.data
  const keys = join(workdir, 'config')
  await (await import('node:fs/promises')).mkdir(keys)
  await writeFile(join(keys, 'key.pub'), 'key')
  const copy = join(await freshFolder(), 'copy')
  expect(await backupCommand.run(() => first, [copy])).toBe(0)
  expect((await stat(copy)).mode & 0o77).toBe(0)
  expect(await backupCommand.run(() => first, [copy])).toBe(1)
  await running.stop()

  const place = await freshFolder()
  const second = { ...config, workdir: place, dataDir: join(place, '.data') }
  expect(await restoreCommand.run(() => second, [copy])).toBe(0)
  expect(await restoreCommand.run(() => second, [copy])).toBe(1)
  expect(await readFile(join(place, 'config', 'key.pub'), 'utf8')).toBe('key')
  const again = await serving(second)
  expect((await again.client.get(`/template/${kept.id}`)).text).toBe('kept {d.a}')
  expect((await again.client.get(`/render/${renderId}`)).text).toBe('kept 1')
  expect((await again.client.get('/templates/tags')).body.data).toEqual([{ name: 'one' }])
  await again.stop()
  await remove()
})

it('a backup under load has everything stored before it, and files that come and go do not stop it', async () => {
  for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
  const { config, remove } = await testConfig({ mergeWorkers: 1, prewarm: false })
  const first = { ...config, workdir: await freshFolder() }
  const { client, stop } = await serving(first)
  const load = { ends: false }
  const backups = 6
  const stored: { readonly id: string; readonly text: string }[] = []
  const template = btoa('x'.repeat(2_000))
  const renders = async () => {
    while (!load.ends) {
      const { renderId } = (await client.post('/render/template', { template, data: {} })).body.data
      expect((await client.get(`/render/${renderId}`)).status).toBe(200)
      await pause(10) // or the copies of files take the longest turns of this thread
    }
  }
  const uploads = async () => {
    for (let at = 0; !load.ends; at++) {
      const text = `number ${at}`
      stored.push({ id: (await client.version(text)).id, text })
      await pause(20)
    }
  }
  const working = Promise.all([renders(), renders(), renders(), uploads()])
  const folder = await freshFolder()
  let before: typeof stored = []
  await vi.waitUntil(() => stored.length > 10, { timeout: 60_000 })
  for (let time = 0; time < backups; time++) {
    before = [...stored]
    expect(await backupCommand.run(() => first, [join(folder, `${time}`)])).toBe(0)
  }
  load.ends = true
  await working
  await stop()
  const place = await freshFolder()
  const second = { ...config, workdir: place, dataDir: join(place, '.data') }
  expect(await restoreCommand.run(() => second, [join(folder, `${backups - 1}`)])).toBe(0)
  const again = await serving(second)
  for (const { id, text } of before) expect((await again.client.get(`/template/${id}`)).text).toBe(text)
  await again.stop()
  await remove()
})

it('reports what is wrong instead of copying half a service', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { config, remove } = await testConfig()
  const folder = await freshFolder()
  expect(
    await backupCommand.run(() => ({ ...config, databaseUrl: 'postgres://x' }), [join(folder, 'a')]),
  ).toBe(1)
  expect(await backupCommand.run(() => ({ ...config, dataDir: folder }), [join(folder, 'a')])).toBe(1)
  expect(await restoreCommand.run(() => config, [folder])).toBe(1)
  expect(printed.mock.calls.map(([line]) => line)).toEqual([
    expect.stringContaining('on other servers'),
    expect.stringContaining('no database'),
    expect.stringContaining('holds no backup'),
  ])
  await expect(backupCommand.run(() => config, [])).rejects.toThrow('Name one folder')
  await remove()
})
