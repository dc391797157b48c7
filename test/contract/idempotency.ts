import { describe, expect, it } from 'vitest'
import { createApi } from '../../shared/api/api.ts'
import { type Call, createCall } from '../../shared/api/call.ts'
import { maxAccountBytes } from '../../shared/api/idempotency.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import { ownAccount, removeAccount, saveAccount, usedCredits } from '../../shared/records/accounts.ts'
import { findKey } from '../../shared/records/idempotency-keys.ts'
import type { Services } from '../../shared/services/services.ts'
import { sweep } from '../../shared/services/sweep.ts'
import { base64 } from './http/client.ts'

function call(path: string, body: string, headers: Readonly<Record<string, string>>): Call {
  const url = new URL(path, 'http://host')
  return createCall(
    {
      method: 'POST',
      path: url.pathname,
      query: url.searchParams,
      headers: Object.entries({ 'content-type': 'application/json', ...headers }),
      body: new Response(body).body ?? undefined,
      signal: new AbortController().signal,
      origin: url.origin,
    },
    [],
  )
}
/** A process with these services. */
function processOf(services: Services) {
  const api = createApi(services)
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>>) => {
    const operation = path.startsWith('/template') ? 'uploadTemplate' : 'render'
    const route = api.routes.find((each) => each.operation === operation)!
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await api.answer(route, call(path, text, headers))
    const bytes = reply.body.kind === 'bytes' ? await bytesOf(reply.body.source) : undefined
    const said = reply.body.kind === 'text' ? reply.body.text : new TextDecoder().decode(bytes)
    await reply.finished?.(true)
    return { status: reply.status, headers: reply.headers, said }
  }
  const count = async (table: 'templates') =>
    Number((await services.sql.query({ text: `SELECT COUNT(*) AS n FROM ${table}`, values: [] }))[0]!['n'])
  return { services, post, count }
}

const body = { template: base64('Hi {d.a}'), data: { a: 1 } }
const keyed = (key: string) => ({ 'idempotency-key': key })
const fresh = () => crypto.randomUUID()

/** Sends 100 calls with one key at once: one of them makes a document, and all get its ID. */
export async function expectOneOfParallelCalls(open: () => Promise<Services>): Promise<void> {
  const { services, post } = processOf(await open())
  const name = fresh()
  const key = keyed(name)
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => post('/render/template', { ...body, reportName: name }, key)),
  )
  // As one text, so that a failure shows an answer that differs.
  const distinct = new Set(answers.map(({ status, said }) => `${status} ${said}`))
  expect([...distinct].join('\n')).toBe(`200 ${answers[0]!.said}`)
  // Work of other tests in the background may store renders of other names in the same database.
  const made = { text: 'SELECT id FROM renders WHERE name LIKE ?1', values: [`${name}%`] }
  expect(await services.sql.query(made)).toHaveLength(1)
  const replayed = answers.filter(({ headers }) => headers['service-idempotent-replay'] === 'true')
  expect(replayed).toHaveLength(99)
}

/** The header `Idempotency-Key` (specification 4.13), on the stores of one host. */
export function idempotencyContract(name: string, open: () => Promise<Services>): void {
  const jobsOf = async ({ sql }: Services) =>
    Number((await sql.query({ text: 'SELECT COUNT(*) AS n FROM jobs', values: [] }))[0]!['n'])
  const world = async (changes: Partial<Services> = {}) => processOf({ ...(await open()), ...changes })

  describe(`Idempotency-Key: ${name}`, () => {
    it('100 parallel calls with one key make exactly one document, and all get its ID', () =>
      expectOneOfParallelCalls(open))

    it('a version is stored once, also when the form comes with another boundary', async () => {
      const { post, count } = await world()
      const before = await count('templates')
      const form = (boundary: string) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="versioning"\r\n\r\ntrue\r\n--${boundary}\r\ncontent-disposition: form-data; name="template"; filename="a.txt"\r\n\r\nHi -- {d.a}\r\n--${boundary}--\r\n`
      const key = fresh()
      const send = (boundary: string) =>
        post('/template', form(boundary), {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          ...keyed(key),
        })
      const [first, second] = [await send('aaaa'), await send('bbbbbbbb')]
      expect([first.status, second.said]).toEqual([200, first.said])
      expect((await count('templates')) - before).toBe(1)
    })

    it('a repeated call returns the same file with its headers', async () => {
      const { post } = await world()
      const key = keyed(`"${fresh()}"`)
      const [first, second] = [
        await post('/render/template?download=true', body, key),
        await post('/render/template?download=true', body, key),
      ]
      expect([first.said, second.said]).toEqual(['Hi 1', 'Hi 1'])
      expect(second.headers['content-disposition']).toBe(first.headers['content-disposition'])
      expect([first, second].map(({ headers }) => headers['service-idempotent-replay'])).toEqual([
        undefined,
        'true',
      ])
    })

    it.each([
      ['another body', '/render/template', { ...body, data: { a: 2 } }, {}],
      ['another query', '/render/template?download=true', body, {}],
      ['another header', '/render/template', body, { prefer: 'respond-async' }],
    ])('%s with the key is refused', async (_name, path, other, headers) => {
      const { post } = await world()
      const key = keyed(fresh())
      await post('/render/template', body, key)
      expect((await post(path, other, { ...key, ...headers })).status).toBe(422)
    })

    it.each([
      ['empty', ''],
      ['blank', ' '],
      ['of two words', 'a b'],
      ['of other letters', 'ü'],
      ['too long', 'x'.repeat(256)],
    ])('a key that is %s is refused', async (_name, key) => {
      const { post } = await world()
      expect((await post('/render/template', body, keyed(key))).status).toBe(400)
    })

    it('a call that failed frees its key', async () => {
      const { post } = await world()
      const key = keyed(fresh())
      expect((await post('/render/template', { ...body, template: '' }, key)).status).toBe(422)
      expect((await post('/render/template', body, key)).status).toBe(200)
    })

    type Work<T> = () => Promise<T>
    /** What happens to one kind of statement, in place of the work of the database. */
    type Around = <T>(work: Work<T>) => Promise<T>

    /** Services whose statements with the text `of` reach the database through `around`, with the clock in the hands of the test. */
    const disturbed = async (of: string, around: Around, changes: Partial<Services> = {}) => {
      let shift = 0
      const real = await open()
      const sent: string[] = []
      const through = <T>(texts: readonly string[], work: Work<T>) =>
        texts.some((text) => text.includes(of)) ? around(work) : work()
      const { post, services } = await world({
        clock: { now: () => Date.now() + shift },
        queue: { send: async ({ id }) => void sent.push(id) },
        sql: {
          query: (statement) => through([statement.text], () => real.sql.query(statement)),
          batch: (statements) =>
            through(
              statements.map(({ text }) => text),
              () => real.sql.batch(statements),
            ),
        },
        ...changes,
      })
      const pass = (ms: number) => {
        shift += ms
      }
      return { post, services, sent, pass }
    }

    /** Asynchronous renders whose acceptance goes through `around`. */
    const asyncWorld = async (around: Around) => {
      const { post, services, ...rest } = await disturbed("'queued'", around)
      const before = await jobsOf(services)
      const key = keyed(fresh())
      return {
        ...rest,
        ask: () => post('/render/template', body, { ...key, prefer: 'respond-async' }),
        jobs: async () => (await jobsOf(services)) - before,
      }
    }

    it('a render whose process dies once it is accepted is accepted once', async () => {
      const { ask, jobs, pass } = await asyncWorld(async (accept) => {
        await accept()
        return new Promise(() => {}) // it never hears of it
      })
      void ask()
      await expect.poll(jobs).toBe(1)
      pass(120_000)
      const again = await ask()
      expect([again.status, again.headers['service-idempotent-replay']]).toEqual([202, 'true'])
      expect(again.headers['service-job-id']).toMatch(/^[0-9a-f]{32}$/)
      expect(await jobs()).toBe(1)
    })

    it('a repeated render gives the same outcome when its acceptance was written but not answered', async () => {
      let isLost = true
      const { ask, jobs } = await asyncWorld(async (accept) => {
        const changed = await accept()
        if (!isLost) return changed
        isLost = false
        throw new AppError('storage.unanswered')
      })
      const first = await ask()
      expect([first.status, JSON.parse(first.said).code]).toEqual([503, 'w217'])
      const again = await ask()
      expect([again.status, again.headers['service-idempotent-replay']]).toEqual([202, 'true'])
      expect(await jobs()).toBe(1)
    })

    it('a call that was suspended until another took its key has no effect', async () => {
      let isFirst = true
      const { ask, jobs, pass, sent } = await asyncWorld(async (accept) => {
        if (!isFirst) return accept()
        isFirst = false
        pass(120_000)
        expect((await ask()).status).toBe(202)
        return accept()
      })
      expect((await ask()).status).toBe(409)
      const again = await ask()
      expect([again.status, again.headers['service-job-id']]).toEqual([202, sent[0]])
      expect([await jobs(), sent.length]).toEqual([1, 1])
    })

    interface Effect {
      readonly effect: string
      readonly statement: string
      readonly path: string
      readonly bodyOf: (name: string) => object
      readonly made: string | undefined // selects what was made under a name; undefined: nothing is left behind
    }

    /** The three ways in which a call takes effect at once: what it sends, the statement of it, and what it makes. */
    const effects: readonly [Effect, Effect, Effect] = [
      {
        effect: 'a stored document',
        statement: 'INSERT INTO renders',
        path: '/render/template',
        bodyOf: (name: string) => ({ ...body, reportName: name }),
        made: 'SELECT id AS made FROM renders WHERE name LIKE ?1',
      },
      {
        effect: 'a version of a template',
        statement: 'INSERT INTO templates',
        path: '/template',
        bodyOf: (name: string) => ({ template: base64('Hi {d.a}'), versioning: true, name }),
        made: 'SELECT version_id AS made FROM templates WHERE name LIKE ?1',
      },
      {
        effect: 'a file in the answer',
        statement: 'UPDATE idempotency_keys SET fingerprint = ?4, answer = ?5, blob',
        path: '/render/template?download=true',
        bodyOf: (name: string) => ({ ...body, reportName: name }),
        made: undefined,
      },
    ]

    const effectWorld = async (
      { path, bodyOf, made }: Effect,
      statement: string,
      around: Around,
      changes?: Partial<Services>,
    ) => {
      const world = await disturbed(statement, around, changes)
      const name = fresh()
      const ask = () => world.post(path, bodyOf(name), keyed(name))
      const count = async () =>
        made === undefined ? 1 : (await world.services.sql.query({ text: made, values: [`${name}%`] })).length
      return { ...world, ask, count }
    }

    /** What takes the time, in which another call takes the key: the statement of the effect, or that which takes the key. */
    const slow = effects.flatMap((each) => [
      { ...each, statement: each.statement, late: 'writes it late' },
      { ...each, statement: 'held_until = excluded.held_until', late: 'hears late that it has the key' },
    ])

    it.each(slow)('of two calls that hold the key, one makes $effect, if the first $late', async (each) => {
      let isFirst = true
      const { ask, count, pass } = await effectWorld(each, each.statement, async (work) => {
        if (!isFirst) return work()
        isFirst = false
        const isTaking = each.statement.startsWith('held_until')
        const taken = isTaking ? await work() : undefined
        pass(120_000)
        const other = await ask()
        expect([other.status, other.headers['service-idempotent-replay']]).toEqual([200, undefined])
        return taken ?? work()
      })
      expect((await ask()).status).toBe(409)
      const again = await ask()
      expect([again.status, again.headers['service-idempotent-replay']]).toEqual([200, 'true'])
      expect(await count()).toBe(1)
    })

    it.each(effects)('$effect is made once when the answer to its transaction is lost', async (each) => {
      let isFirst = true
      const { ask, count } = await effectWorld(each, each.statement, async (work) => {
        const done = await work()
        if (!isFirst) return done
        isFirst = false
        throw new AppError('storage.unanswered')
      })
      const first = await ask()
      const again = await ask()
      expect(again.status).toBe(200)
      if (first.status === 200) expect(again.said).toBe(first.said)
      else expect(first.status).toBe(503)
      expect(await count()).toBe(1)
    })

    it('a document whose transaction stays unanswered and cannot be withdrawn is found by the repetition', async () => {
      let away = false
      const [each] = effects
      const { ask, count, services, post } = await effectWorld(each, '', async (work) => {
        if (away) throw new AppError('storage.unavailable')
        return work()
      })
      const { sql } = services
      const batch: typeof sql.batch = async (statements) => {
        const changed = await sql.batch(statements)
        if (!statements.some(({ text }) => text.includes('INSERT INTO renders'))) return changed
        away = true
        throw new AppError('storage.unanswered')
      }
      const broken = createApi({ ...services, sql: { ...sql, batch } })
      const route = broken.routes.find(({ operation }) => operation === 'render')!
      const key = keyed(fresh())
      const request = { ...body, reportName: fresh() }
      const first = await broken.answer(
        route,
        call('/render/template', JSON.stringify(request), { 'content-type': 'application/json', ...key }),
      )
      expect(first.status).toBe(503)
      away = false
      const again = await post('/render/template', request, key)
      expect([again.status, again.headers['service-idempotent-replay']]).toEqual([200, 'true'])
      const id = JSON.parse(again.said).data.renderId as string
      expect(await sql.query({ text: 'SELECT id FROM renders WHERE id = ?1', values: [id] })).toHaveLength(1)
      expect([(await ask()).status, await count()]).toEqual([200, 1])
    })

    /** A call that runs until it is let go, and then makes a document, or fails. */
    const heldCall = async (how: 'makes a document' | 'fails') => {
      const gate = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const name = fresh()
      const request = { ...body, reportName: name }
      let isFirst = true
      const world = await disturbed('INSERT INTO renders', async (work) => {
        if (!isFirst) return work()
        isFirst = false
        begun.resolve()
        await gate.promise
        if (how === 'fails') throw new AppError('storage.unavailable')
        return work()
      })
      const first = world.post('/render/template', request, keyed(name))
      await begun.promise
      const made = async () => {
        const found = { text: 'SELECT id FROM renders WHERE name LIKE ?1', values: [`${name}%`] }
        return (await world.services.sql.query(found)).length
      }
      const end = async () => {
        gate.resolve()
        return first
      }
      return { ...world, name, request, end, made }
    }

    it.each([
      ['makes a document', 200, 'true'],
      ['fails', 503, undefined],
    ] as const)(
      'a call of another process that begins just when the first ends, which %s, agrees with it',
      async (how, status, replayed) => {
        const { request, name, end, made } = await heldCall(how)
        let ended: Awaited<ReturnType<typeof end>> | undefined
        // The first ends after this call was refused its key and before it reads why.
        const other = await disturbed('SELECT holder', async (work) => {
          ended ??= await end()
          return work()
        })
        const second = await other.post('/render/template', request, keyed(name))
        expect([ended?.status, second.status]).toEqual([status, 200])
        expect(second.headers['service-idempotent-replay']).toBe(replayed)
        if (status === 200) expect(second.said).toBe(ended?.said)
        expect(await made()).toBe(1)
      },
    )

    it.each([
      ['of the same process', (first: Awaited<ReturnType<typeof heldCall>>) => first],
      ['of another process', () => disturbed('no statement', (work) => work())],
    ] as const)('a call %s that has waited too long is refused and makes nothing', async (_where, other) => {
      const first = await heldCall('makes a document')
      const world = await other(first)
      const waiting = world.post('/render/template', first.request, keyed(first.name))
      const tooLong = async () => {
        world.pass(10_000)
        // The first call holds its key on and on.
        await first.services.sql.batch([
          { text: 'UPDATE idempotency_keys SET held_until = held_until + 1000', values: [] },
        ])
        return Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 50))])
      }
      await expect.poll(tooLong).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
      const { status, said } = await first.end()
      const again = await world.post('/render/template', first.request, keyed(first.name))
      expect([status, again.status, again.said, await first.made()]).toEqual([200, 200, said, 1])
    })

    it('a call whose caller is gone does not wait', async () => {
      const { services, request, name, end } = await heldCall('makes a document')
      const { answer, routes } = createApi(services)
      const route = routes.find(({ operation }) => operation === 'render')!
      const headers = { 'content-type': 'application/json', ...keyed(name) }
      const gone = {
        ...call('/render/template', JSON.stringify(request), headers),
        signal: AbortSignal.abort(),
      }
      expect((await answer(route, gone)).status).toBe(499)
      expect((await end()).status).toBe(200)
    })

    it('who asks between the effect of a call and its complete answer gets the same words', async () => {
      let between: Awaited<ReturnType<typeof ask>> | undefined
      const { request, name, ask } = await (async () => {
        const name = fresh()
        const request = { ...body, reportName: name }
        const complete = 'UPDATE idempotency_keys SET fingerprint = ?4, answer = ?5, blob'
        const other = await world()
        const { post } = await disturbed(complete, async (work) => {
          between ??= await other.post('/render/template', request, keyed(name))
          return work()
        })
        return { request, name, ask: () => post('/render/template', request, keyed(name)) }
      })()
      const first = await ask()
      const after = await (await world()).post('/render/template', request, keyed(name))
      expect(between?.headers['service-idempotent-replay']).toBe('true')
      expect([between, after].map((each) => [each?.status, each?.said])).toEqual([
        [first.status, first.said],
        [first.status, first.said],
      ])
    })

    it('a call that took the key but lost the answer goes on', async () => {
      let isFirst = true
      const [each] = effects
      const { ask, count } = await effectWorld(each, 'held_until = excluded.held_until', async (work) => {
        const done = await work()
        if (!isFirst) return done
        isFirst = false
        throw new AppError('storage.unanswered')
      })
      expect([(await ask()).status, await count()]).toEqual([200, 1])
    })

    it('a file whose answer cannot be recorded is not sent, and costs nothing', async () => {
      const { settings, sql } = await open()
      const month = new Date().toISOString().slice(0, 7)
      await removeAccount(sql, ownAccount)
      await saveAccount(sql, { name: ownAccount, monthlyCredits: 100, createdAt: 1, closedAt: null })
      let isAway = true
      const [, , each] = effects
      const around: Around = async (work) => {
        if (isAway) throw new AppError('storage.unavailable')
        return work()
      }
      const hosted = { settings: { ...settings, hosted: true } }
      const { ask } = await effectWorld(each, each.statement, around, hosted)
      expect([(await ask()).status, await usedCredits(sql, ownAccount, month)]).toEqual([503, 0])
      isAway = false
      const done = await ask()
      expect([done.status, await usedCredits(sql, ownAccount, month)]).toEqual([200, 1])
      expect([(await ask()).said, await usedCredits(sql, ownAccount, month)]).toEqual([done.said, 1])
      await removeAccount(sql, ownAccount)
    })

    it('of two calls that hold the key, one is charged', async () => {
      const { settings, sql } = await open()
      const month = new Date().toISOString().slice(0, 7)
      await removeAccount(sql, ownAccount)
      await saveAccount(sql, { name: ownAccount, monthlyCredits: 100, createdAt: 1, closedAt: null })
      for (const each of [effects[0], effects[2]]) {
        const before = await usedCredits(sql, ownAccount, month)
        let isFirst = true
        const around: Around = async (work) => {
          if (!isFirst) return work()
          isFirst = false
          world.pass(120_000)
          expect((await world.ask()).status).toBe(200)
          return work()
        }
        const world = await effectWorld(each, each.statement, around, {
          settings: { ...settings, hosted: true },
        })
        expect((await world.ask()).status).toBe(409)
        expect((await usedCredits(sql, ownAccount, month)) - before).toBe(1)
      }
      await removeAccount(sql, ownAccount)
    })

    it('a file that cannot be stored is sent, and the repetition says that it was not kept', async () => {
      const { blobs } = await open()
      const refusing = {
        blobs: {
          ...blobs,
          put: async () => {
            throw new AppError('storage.unavailable')
          },
        },
      }
      const { post } = await world(refusing)
      const key = keyed(fresh())
      const first = await post('/render/template?download=true', body, key)
      expect([first.status, first.said]).toEqual([200, 'Hi 1'])
      expect((await post('/render/template?download=true', body, key)).status).toBe(409)
    })

    it('accounts and operations have keys of their own', async () => {
      const { post, services } = await world()
      const key = fresh()
      await post('/render/template', body, keyed(key))
      expect((await post('/template', { template: base64('x') }, keyed(key))).status).toBe(200)
      expect(await findKey(services.sql, { account: 'other', key })).toBeUndefined()
    })

    it('beyond the limit of an account no file is kept, and the repetition says so', async () => {
      const { post, services } = await world()
      const key = keyed(fresh())
      const size = maxAccountBytes - 3
      await services.sql.batch([
        {
          text: `INSERT INTO idempotency_keys (account, key, holder, held_until, fingerprint, answer, blob, size, secret, expires_at)
            VALUES ('self', 'full', '', 0, '', '', '', ?1, '', 1)`,
          values: [size],
        },
      ])
      const first = await post('/render/template?download=true', body, key)
      const second = await post('/render/template?download=true', body, key)
      await services.sql.batch([
        { text: "DELETE FROM idempotency_keys WHERE account = 'self' AND key = 'full'", values: [] },
      ])
      expect([first.status, second.status]).toEqual([200, 409])
      expect((await post('/render/template?download=true', body, keyed(fresh()))).said).toBe('Hi 1')
    })

    it('after a day the response and its file are removed, and the key is free', async () => {
      let now = Date.now()
      const { post, services } = await world({ clock: { now: () => now } })
      const key = keyed(fresh())
      const files = async () => {
        const keys: string[] = []
        for await (const entry of services.blobs.list('self/answers/')) keys.push(entry.key)
        return keys
      }
      const before = await files()
      await post('/render/template?download=true', body, key)
      const own = (await files()).filter((file) => !before.includes(file))
      now += 86_401_000
      await sweep(services)
      const after = await files()
      expect([own.length, own.filter((file) => after.includes(file))]).toEqual([1, []])
      const again = await post('/render/template?download=true', body, key)
      expect([again.said, again.headers['service-idempotent-replay']]).toEqual(['Hi 1', undefined])
    })
  })
}
