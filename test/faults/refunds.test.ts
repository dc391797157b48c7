import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createClient } from '../contract/http/client.ts'
import { kill } from '../helpers/kill.ts'
import { platen } from '../helpers/platen-cli.ts'
import { processesBelow } from '../helpers/processes.ts'
import { long, pause, rowsIn, startOrigin, temporary } from './world.ts'

const kills = long ? 12 : 2
const jobs = long ? 200 : 16
const letter = readFileSync(new URL('../fixtures/templates/letter/template.docx', import.meta.url), 'base64')

/** Renders of one credit each, the format that they ask for, and whether their account takes them back. */
const kinds = [
  { convertTo: 'pdf', cancelled: false },
  { convertTo: 'nonsense', cancelled: false },
  { convertTo: 'pdf', cancelled: true },
  { convertTo: 'pdf', cancelled: false },
] as const

it('after kills of origins and offices an account has paid for what it got, and for nothing else', async () => {
  const { folder, remove } = await temporary()
  await platen(folder, 'generate-keys')
  const start = () => startOrigin(folder, { SERVICE_HOSTED: 'true', SERVICE_ISOLATION: 'best' })
  let origin = await start()
  await platen(folder, 'accounts', 'create', 'payer', '--credits', '1000')
  const { out: token } = await platen(folder, 'accounts', 'token', 'payer')
  const clientOf = () => createClient(origin.url, { authorization: `Bearer ${token}` })
  const used = async () => {
    const { out } = await platen(folder, 'accounts', 'list')
    return Number(/^payer {2}(\d+) of 1000 /m.exec(out)?.[1])
  }
  const accepted: string[] = []
  for (let at = 0; at < jobs; at++) {
    const { convertTo, cancelled } = kinds[at % kinds.length]!
    const answer = await clientOf().post(
      '/render/template',
      { template: letter, data: { name: `${at}` }, convertTo, converter: 'L' },
      { prefer: 'respond-async' },
    )
    expect([at, answer.status]).toEqual([at, 202])
    const id = answer.headers.get('service-job-id') ?? ''
    accepted.push(id)
    // What has ended meanwhile cannot be taken back, and is paid for.
    if (cancelled) await clientOf().send('DELETE', `/jobs/${id}`)
  }
  for (let killed = 0; killed < kills; killed++) {
    await pause(500 + 300 * (killed % 5))
    const office = processesBelow(origin.pid).find(({ args }) => args.includes('soffice.bin'))
    if (killed % 2 === 0 && office !== undefined) kill(office.pid)
    else {
      await origin.kill()
      origin = await start()
    }
  }
  const states = async () => {
    const client = clientOf()
    const found: string[] = []
    for (const id of accepted) found.push((await client.get(`/jobs/${id}`)).body.data?.state ?? 'unknown')
    return found
  }
  const isOpen = (state: string) => state !== 'done' && state !== 'failed'
  await expect
    .poll(async () => (await states()).filter(isOpen), { timeout: 600_000, interval: 1_000 })
    .toEqual([])
  const ends = await states()
  const done = ends.filter((state) => state === 'done').length
  for (const [at, state] of ends.entries())
    if (kinds[at % kinds.length]!.convertTo === 'nonsense') expect([at, state]).toEqual([at, 'failed'])
  // Every render that was not cancelled and can be made is made, except documents whose process was killed twice.
  expect(done).toBeGreaterThanOrEqual(jobs / 2 - kills)
  expect(await used()).toBe(done)
  expect(rowsIn(folder, 'jobs', 'ended_at IS NULL')).toBe(0)
  if (long) console.log(`${kills} kills, ${jobs} accepted, ${done} done and paid for`)
  await origin.stop()
  await remove()
})

it('after a kill of an origin a render that somebody waited for is paid back, and those before it are not', async () => {
  const { folder, remove } = await temporary()
  await platen(folder, 'generate-keys')
  const start = () => startOrigin(folder, { SERVICE_HOSTED: 'true', SERVICE_ISOLATION: 'best' })
  const origin = await start()
  await platen(folder, 'accounts', 'create', 'waiter', '--credits', '10')
  const { out: token } = await platen(folder, 'accounts', 'token', 'waiter')
  const used = async () =>
    Number(/^waiter {2}(\d+) of 10 /m.exec((await platen(folder, 'accounts', 'list')).out)?.[1])
  const client = createClient(origin.url, { authorization: `Bearer ${token}` })
  const render = (body: object) =>
    client.post('/render/template?download=true', { template: letter, data: {}, ...body })
  expect((await render({ convertTo: 'docx' })).status).toBe(200)
  expect((await render({ convertTo: 'nonsense' })).status).not.toBe(200)
  expect([await used(), rowsIn(folder, 'open_charges', '1 = 1')]).toEqual([1, 0])
  const waiting = render({ convertTo: 'pdf', converter: 'L' }).catch(() => undefined)
  await expect.poll(() => rowsIn(folder, 'open_charges', '1 = 1'), { timeout: 20_000, interval: 2 }).toBe(1)
  await origin.kill()
  await waiting
  expect(await used()).toBe(2)
  // The time of the charge is over, which takes ten minutes otherwise.
  const database = new DatabaseSync(join(folder, '.data', 'service.sqlite'))
  database.exec('UPDATE open_charges SET expires_at = 1')
  database.close()
  const next = await start()
  await expect.poll(used, { timeout: 30_000, interval: 500 }).toBe(1)
  expect(rowsIn(folder, 'open_charges', '1 = 1')).toBe(0)
  await next.stop()
  await remove()
})

it('a render that outgrows the memory of its thread is paid back', async () => {
  const { folder, remove } = await temporary()
  await platen(folder, 'generate-keys')
  const hosted = { SERVICE_HOSTED: 'true', SERVICE_ISOLATION: 'best', SERVICE_MERGE_MEMORY_MB: '128' }
  const origin = await startOrigin(folder, hosted)
  await platen(folder, 'accounts', 'create', 'grower', '--credits', '1000')
  const { out: token } = await platen(folder, 'accounts', 'token', 'grower')
  const client = createClient(origin.url, { authorization: `Bearer ${token}` })
  const bodies = {
    // Of all values these need the most memory for their bytes.
    'its data': {
      template: btoa('{d.k1}'),
      data: { k1: 1, more: Array.from({ length: 4_000_000 }, () => ({})) },
    },
    'its document': { template: btoa('{d.a:padl(1000000)}'.repeat(1_000)), data: { a: 'x' } },
  }
  const memory = 'The template and its data need more memory than one render may use.'
  for (const [what, body] of Object.entries(bodies)) {
    const waited = await client.post('/render/template?download=true', body)
    expect([what, waited.status, waited.body.error]).toEqual([what, 500, expect.stringContaining(memory)])
    const later = await client.post('/render/template', body, { prefer: 'respond-async' })
    expect(later.status).toBe(202)
    const job = async () => (await client.get(`/jobs/${later.headers.get('service-job-id')}`)).body.data
    await expect.poll(job).toMatchObject({ state: 'failed', error: expect.stringContaining(memory) })
  }
  const { out } = await platen(folder, 'accounts', 'list')
  expect([out, rowsIn(folder, 'open_charges')]).toEqual([expect.stringContaining('grower  0 of 1000 '), 0])
  // Another thread has taken the place of each that ended.
  const after = await client.post('/render/template?download=true', {
    template: btoa('{d.a}'),
    data: { a: 1 },
  })
  expect([after.status, after.text]).toEqual([200, '1'])
  await origin.stop()
  await remove()
})
