import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createClient } from '../contract/http/client.ts'
import { kill } from '../helpers/kill.ts'
import { platen } from '../helpers/platen-cli.ts'
import { processesBelow } from '../helpers/processes.ts'
import { long, pause, randomOf, rowsIn, startOrigin, temporary } from './world.ts'

const kills = long ? 60 : 4
const jobs = long ? 200 : 18

const inBase64 = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'base64')
const letter = inBase64('templates/letter/template.docx')
const office = { template: letter, convertTo: 'pdf', converter: 'L' }
const browser = {
  template: btoa(`<h1>{d.name}</h1>${'<p>text</p>'.repeat(2_000)}`),
  convertTo: 'pdf',
  converter: 'C',
}
const secondOffice = {
  template: inBase64('real/aspose-cells__FinancialPlan.xlsx'),
  convertTo: 'pdf',
  converter: 'O',
}
const picture = { template: inBase64('pdf/letter-tagged.pdf'), convertTo: 'png' }

/** Renders of one credit each, and whether their account takes them back. */
const kinds: readonly { readonly body: object; readonly ends: 'well' | 'failed' | 'cancelled' }[] = [
  { body: office, ends: 'well' },
  { body: browser, ends: 'well' },
  { body: { ...office, convertTo: 'nonsense' }, ends: 'failed' },
  { body: picture, ends: 'well' },
  { body: office, ends: 'cancelled' },
  { body: secondOffice, ends: 'well' },
]

/** The command lines of the processes that are killed beside the origin. */
const victims = [/soffice\.bin/, /python3.*bridge/, /chrom/, /starter\.pl/, /ssconvert|calligra/, /pdfto/]
/** Each of these kills is one of the origin. */
const originEach = 5
const untilStartedMs = 20_000

it('after kills of every process an account has paid for what it got, and a repeated call finds its job', async () => {
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
  const kindOf = (at: number) => kinds[at % kinds.length]!
  /** Sends a render until it is answered, with the same key: a call that the kill of an origin cuts is repeated. */
  const accept = async (at: number): Promise<string> => {
    for (;;) {
      const body = { ...kindOf(at).body, data: { name: `${at}` } }
      const headers = { prefer: 'respond-async', 'idempotency-key': `key-${at}` }
      const answer = await clientOf()
        .post('/render/template', body, headers)
        .catch(() => undefined)
      // 409: the call that was cut still runs, or its hold has not ended.
      if (answer !== undefined && answer.status !== 409 && answer.status !== 503) {
        expect([at, answer.status, answer.text]).toEqual([at, 202, answer.text])
        return answer.headers.get('service-job-id') ?? ''
      }
      await pause(200)
    }
  }
  const accepted: string[] = []
  const send = async () => {
    while (accepted.length < jobs) {
      const at = accepted.length
      accepted[at] = await accept(at)
      if (kindOf(at).ends !== 'cancelled') continue
      // What has ended meanwhile cannot be taken back, and is paid for.
      await clientOf()
        .send('DELETE', `/jobs/${accepted[at]}`)
        .catch(() => undefined)
    }
  }
  const sending = send()
  const random = randomOf(20_261_128)
  const killed = new Map<string, number>([
    ['origin', 0],
    ...victims.map(({ source }) => [source, 0] as const),
  ])
  /** A running process of the kind that was killed least so far. Programs run for moments only. */
  const nextVictim = async () => {
    const rarest = victims.toSorted((a, b) => killed.get(a.source)! - killed.get(b.source)!)
    for (const end = performance.now() + untilStartedMs; performance.now() < end; await pause(50)) {
      const running = processesBelow(origin.pid)
      for (const like of rarest.slice(0, performance.now() < end - untilStartedMs / 2 ? 2 : victims.length)) {
        const found = running.filter(({ args }) => like.test(args))
        if (found.length > 0)
          return { name: like.source, pid: found[Math.floor(random() * found.length)]!.pid }
      }
    }
    return undefined
  }
  for (let count = 0; count < kills; count++) {
    await pause(300 + 1_200 * random())
    const victim = count % originEach === 0 ? undefined : await nextVictim()
    if (victim === undefined) {
      await origin.kill()
      origin = await start()
    } else
      try {
        kill(victim.pid)
      } catch {
        continue // It had ended by itself.
      }
    const name = victim?.name ?? 'origin'
    killed.set(name, (killed.get(name) ?? 0) + 1)
    // A job that is in flight, and one that may have ended.
    for (const at of accepted.length === 0
      ? []
      : [accepted.length - 1, Math.floor(random() * accepted.length)])
      expect([at, await accept(at)]).toEqual([at, accepted[at]])
  }
  await sending
  if (long) expect([...killed].filter(([, times]) => times === 0)).toEqual([])
  const states = async () => {
    const client = clientOf()
    const found: string[] = []
    for (const id of accepted) found.push((await client.get(`/jobs/${id}`)).body.data?.state ?? 'unknown')
    return found
  }
  const isOpen = (state: string) => state !== 'done' && state !== 'failed'
  await expect
    .poll(async () => (await states()).filter(isOpen), { timeout: 1_200_000, interval: 1_000 })
    .toEqual([])
  const ends = await states()
  const done = ends.filter((state) => state === 'done').length
  for (const [at, state] of ends.entries())
    if (kindOf(at).ends === 'failed') expect([at, state]).toEqual([at, 'failed'])
  // Every render that was not cancelled and can be made is made, except documents whose process was killed twice.
  const good = accepted.filter((_, at) => kindOf(at).ends === 'well').length
  expect(done).toBeGreaterThanOrEqual(good - kills)
  expect(await used()).toBe(done)
  for (const [at, id] of accepted.entries()) expect([at, await accept(at)]).toEqual([at, id])
  expect([await used(), rowsIn(folder, 'jobs'), rowsIn(folder, 'jobs', 'ended_at IS NULL')]).toEqual([
    done,
    jobs,
    0,
  ])
  if (long) console.log(`${jobs} accepted, ${done} done and paid for; kills: ${JSON.stringify([...killed])}`)
  await origin.stop()
  await remove()
}, 1_800_000)

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
