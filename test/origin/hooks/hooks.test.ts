import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { OriginConfig } from '../../../origin/config.ts'
import { startServer } from '../../../origin/server.ts'
import { createServices } from '../../../origin/services.ts'
import { sweep } from '../../../shared/services/sweep.ts'
import { createClient } from '../../contract/http/client.ts'
import { startNode } from '../../helpers/cluster.ts'
import { testConfig } from '../../helpers/origin-config.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** An origin whose working folder has these files in `plugin/`. */
async function origin(files: Readonly<Record<string, string>>, changes: Partial<OriginConfig> = {}) {
  const { config, remove } = await testConfig({ mergeWorkers: 1, ...changes })
  closing.push(remove)
  const folder = join(config.workdir, 'plugin')
  await mkdir(join(folder, 'kept'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const server = await startServer(config)
  closing.push(() => server.stop())
  const client = createClient(server.url, {}, [server.url], false)
  const kept = async () => (await readdir(join(folder, 'kept'))).sort()
  const blobs = async () => {
    const all = await readdir(join(config.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    return all.flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  }
  return { url: server.url, client, folder, kept, blobs, config }
}

const storing = `
const fs = require('node:fs')
const path = require('node:path')
const place = (id) => path.join(__dirname, 'kept', id)
module.exports = {
  writeTemplate(req, res, templateId, file, cb) {
    if (req.headers['x-room'] === 'none') return cb(Object.assign(new Error('No room for that.'), { statusCode: 403 }))
    if (req.headers['x-room'] === 'broken') return cb(new Error('secret details'))
    fs.copyFile(file, place(templateId), cb)
  },
  readTemplate: (req, res, templateId, cb) => cb(null, place(templateId)),
  async deleteTemplate(req, res, templateId) {
    await fs.promises.rm(place(templateId), { force: true })
  },
}`

describe('storage.js', () => {
  for (const stateless of [false, true]) {
    it(`keeps templates elsewhere${stateless ? ', without a database' : ''}`, async () => {
      const { client, kept, blobs } = await origin(
        { 'storage.js': storing },
        { stateless, templateCacheSize: 0 },
      )
      const id = await client.hashed('kept elsewhere {d.a}')
      expect(await kept()).toEqual([id])
      expect(await blobs()).not.toContain(id)
      expect((await client.post(`/render/${id}?download=true`, { data: { a: 1 } })).text).toBe(
        'kept elsewhere 1',
      )
      expect((await client.get(`/template/${id}`)).text).toBe('kept elsewhere {d.a}')
      expect(await client.hashed('kept elsewhere {d.a}')).toBe(id)
      expect(await kept()).toEqual([id])
    })
  }

  it('identifies versions by their own IDs, and deletes what the cleanup removes', async () => {
    const { client, kept, url, config } = await origin({ 'storage.js': storing }, { templateRetention: 0 })
    const version = await client.version('version {d.a}', { sample: '[{"data":{"a":1}}]' })
    expect(await kept()).toEqual([version.versionId])
    expect((await client.post(`/render/${version.id}?download=true`, { data: { a: 2 } })).text).toBe(
      'version 2',
    )
    expect((await client.get(`/template/${version.id}_sample.json`)).text).toBe('[{"data":{"a":1}}]')
    expect((await client.delete(`/template/${version.id}`)).status).toBe(200)
    expect((await fetch(`${url}/template/${version.versionId}`)).status).toBe(404)
    const services = await createServices(config, { withHooks: true })
    expect(await sweep({ ...services, clock: { now: () => Date.now() + 2000 } })).toMatchObject({
      templates: 1,
    })
    await services.stop()
    expect(await kept()).toEqual([])
  })

  it('a refusal has the message of the hook, a failure that of the service, and nothing is left behind', async () => {
    const { client, kept, blobs } = await origin({ 'storage.js': storing })
    const upload = async (room: string) => {
      const body = new FormData()
      body.set('template', new File([`${room} {d.a}`], 'a.txt'))
      const answer = await client.send('POST', '/template', { body, headers: { 'x-room': room } })
      return [answer.status, answer.body]
    }
    expect(await upload('none')).toEqual([
      403,
      { success: false, error: 'No room for that.', code: 'hook.refused.403' },
    ])
    const failed = {
      success: false,
      error: 'The hook writeTemplate of plugin storage failed.',
      code: 'hook.failed',
    }
    expect(await upload('broken')).toEqual([500, failed])
    expect([await kept(), await blobs()]).toEqual([[], []])
  })

  const rendering = `
  import { copyFile, readFile, rename } from 'node:fs/promises'
  import { createReadStream } from 'node:fs'
  const place = (id) => new URL('kept/' + id, import.meta.url).pathname
  export async function beforeRender(req, res, templateId, body) {
    if (body.data?.a === 'refused') throw Object.assign(new Error('Not this one.'), { statusCode: 422 })
    if (body.data?.a === 'odd') return { ...body, lang: 5 }
    res.setHeader('x-template', String(templateId))
    body.data = { ...body.data, stamp: 'approved' }
  }
  export async function afterRender(req, res, made, path) {
    const text = await readFile(path, 'utf8')
    if (text.includes('lost')) throw new Error('secret details')
    res.setHeader('x-made', JSON.stringify(made))
    await copyFile(path, place(made.renderId ?? 'handed-out'))
  }
  export function readRender(req, res, renderId, cb) {
    if (renderId.startsWith('elsewhere')) return cb(null, createReadStream(place('handed-out')))
    cb(null, place(renderId))
  }`

  it('changes requests before the render, and stores documents elsewhere', async () => {
    const { client, kept, blobs, folder } = await origin({ 'storage.mjs': rendering })
    const id = await client.hashed('{d.a} is {d.stamp}')
    const out = await client.post(`/render/${id}?download=true`, { data: { a: 'this' }, reportName: 'note' })
    expect([out.text, out.headers.get('x-template')]).toEqual(['this is approved', id])
    const made = { templateId: id, name: 'note', extension: 'txt', contentType: 'text/plain', size: 16 }
    expect(JSON.parse(out.headers.get('x-made')!)).toEqual(made)
    const stored = await client.post(`/render/${id}`, { data: { a: 'that' } })
    const { renderId } = stored.body.data
    expect(await kept()).toEqual([renderId, 'handed-out'].sort())
    expect(await readFile(join(folder, 'kept', renderId), 'utf8')).toBe('that is approved')
    expect(await blobs()).toHaveLength(1) // the template
    expect((await client.send('HEAD', `/render/${renderId}`)).headers.get('content-length')).toBe('16')
    expect((await client.get(`/render/${renderId}`)).text).toBe('that is approved')
    expect((await client.get(`/render/${renderId}`)).status).toBe(404)
    // One that another origin made: only the hook knows it.
    expect((await client.get('/render/elsewhere-1234567.txt')).text).toBe('this is approved')
    expect((await client.get('/render/nowhere-12345678.txt')).status).toBe(404)
  })

  it('runs once for asynchronous renders too', async () => {
    const { client, kept } = await origin({ 'storage.mjs': rendering }, { egressAllowPrivate: true })
    const reported = new Promise<{ data: { renderId: string } }>((resolve) => {
      const receiver = createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        response.end()
        resolve(JSON.parse(Buffer.concat(chunks).toString()))
        receiver.close()
      }).listen(0, '127.0.0.1', async () => {
        const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
        const body = { data: { a: 'later' }, template: Buffer.from('{d.a}: {d.stamp}').toString('base64') }
        await client.post('/render/template', body, { 'service-webhook-url': url })
      })
    })
    const { renderId } = (await reported).data
    expect(await kept()).toEqual([renderId])
    expect((await client.get(`/render/${renderId}`)).text).toBe('later: approved')
  })

  it('refusals, malformed bodies and failures after the render are errors of the catalogue', async () => {
    const { client, blobs } = await origin({ 'storage.mjs': rendering })
    const id = await client.hashed('{d.a}')
    const render = async (a: string, query = '') => {
      const { status, body } = await client.post(`/render/${id}${query}`, { data: { a } })
      return [status, body.error]
    }
    const failed = [500, 'The hook afterRender of plugin storage failed.']
    expect(await render('refused')).toEqual([422, 'Not this one.'])
    expect(await render('odd')).toEqual([400, expect.stringContaining('"lang"')])
    expect(await render('lost', '?download=true')).toEqual(failed)
    expect(await render('lost')).toEqual(failed)
    expect(await blobs()).toHaveLength(1) // the template
  })
})

/** Waits in the hook until there is a file `judged`, and then refuses what contains "lost". */
const judging = `
  import { existsSync } from 'node:fs'
  import { readFile, writeFile } from 'node:fs/promises'
  const place = (name) => new URL('kept/' + name, import.meta.url)
  export async function afterRender(req, res, made, path) {
    await writeFile(place('asked'), '')
    while (!existsSync(place('judged'))) await new Promise((resolve) => setTimeout(resolve, 20))
    if ((await readFile(path, 'utf8')).includes('lost')) throw new Error('secret details')
  }`

it.each([
  ['stored', ''],
  ['sent', '?download=true'],
])(
  'a document that is %s is not replayed by its key until the hook after the render has accepted it',
  async (_, query) => {
    const { client, kept, folder, config, blobs } = await origin({ 'storage.mjs': judging })
    const another = await startServer({ ...config, port: 0 })
    closing.push(() => another.stop())
    const send = (via: string, a: string, key: string) =>
      createClient(via, {}, [via], false).post(
        `/render/template${query}`,
        { data: { a }, template: Buffer.from('{d.a}').toString('base64') },
        { 'idempotency-key': key },
      )
    const first = send(client.url, 'lost', 'first')
    await expect.poll(kept).toContain('asked')
    let answered = false
    const repeated = send(another.url, 'lost', 'first').finally(() => (answered = true))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(answered).toBe(false)
    await writeFile(join(folder, 'kept', 'judged'), '')
    // The first call frees its key, and the second then makes a document of its own, which is refused too.
    expect([(await first).status, (await repeated).status]).toEqual([500, 500])
    expect(await blobs()).toEqual([])
    const accepted = await send(client.url, 'kept', 'second')
    const replayed = await send(another.url, 'kept', 'second')
    expect([accepted.status, replayed.text]).toEqual([200, accepted.text])
    expect(replayed.headers.get('service-idempotent-replay')).toBe('true')
  },
)

describe('middlewares.js', () => {
  const middlewares = `
  const { appendFileSync } = require('node:fs')
  exports.before = [
    (req, res, next) => { res.setHeader('x-before', req.method); next() },
    (req, res, next) => {
      if (req.headers['x-do'] === 'refuse') return next(Object.assign(new Error('Come back later.'), { status: 429 }))
      if (req.headers['x-do'] === 'teapot') return next(Object.assign(new Error('tea\\n only'), { status: 418 }))
      if (req.headers['x-do'] === 'fail') throw new Error('secret details')
      if (req.headers['x-do'] === 'hang') return
      if (req.headers['x-do'] === 'answer') { res.statusCode = 202; return res.end('from a middleware') }
      next()
    },
  ]
  exports.after = [
    (req, res, next) => { appendFileSync(__dirname + '/kept/log', req.method + ' ' + req.url + ' ' + res.statusCode + '\\n'); next() },
    async () => { throw new Error('nobody hears of it') },
  ]`

  it('run before each request and after each response', async () => {
    const { client, folder, url } = await origin({ 'middlewares.js': middlewares }, { hookTimeout: 300 })
    const send = async (does: string) => {
      const answer = await fetch(`${url}/status`, { headers: { 'x-do': does } })
      const text = await answer.text()
      return [
        answer.status,
        answer.headers.get('x-before'),
        text.startsWith('{') ? JSON.parse(text).error : text,
      ]
    }
    expect(await send('')).toEqual([200, 'GET', undefined])
    expect(await send('refuse')).toEqual([429, 'GET', 'Come back later.'])
    expect(await send('teapot')).toEqual([400, 'GET', 'tea only'])
    expect(await send('fail')).toEqual([500, 'GET', 'The hook before of plugin middlewares failed.'])
    expect(await send('hang')).toEqual([
      500,
      'GET',
      'The hook before of plugin middlewares did not finish in time.',
    ])
    expect(await send('answer')).toEqual([202, 'GET', 'from a middleware'])
    expect((await client.send('OPTIONS', '/template')).headers.get('x-before')).toBe('OPTIONS')
    expect((await fetch(`${url}/nowhere`)).headers.get('x-before')).toBe('GET')
    const id = await client.hashed('through {d.a}')
    expect((await client.post(`/render/${id}?download=true`, { data: { a: 1 } })).text).toBe('through 1')
    const log = () => readFile(join(folder, 'kept', 'log'), 'utf8')
    await expect.poll(log).toContain(`POST /render/${id}?download=true 200`)
    expect((await log()).split('\n').slice(0, 6)).toEqual([
      'GET /status 200',
      'GET /status 429',
      'GET /status 400',
      'GET /status 500',
      'GET /status 500',
      'GET /status 202',
    ])
  })

  it('that consume the body are reported instead of leaving the caller waiting', async () => {
    const reading = `export const before = [(req, res, next) => req.once('data', () => next()).resume()]`
    const { client } = await origin({ 'middlewares.js': reading })
    const answer = await client.post('/render/template', { data: {}, template: 'aGk=' })
    expect([answer.status, answer.body.success]).toEqual([500, false])
  })
})

describe('hooks that throw when they are long gone', () => {
  it('end their request and not the process', async () => {
    const { config, remove } = await testConfig()
    closing.push(remove)
    await mkdir(join(config.workdir, 'plugin'), { recursive: true })
    const source = `
    export const before = [(req, res, next) => {
      if (req.headers['x-do'] === 'throw') return setTimeout(() => { throw new Error('late') }, 5)
      if (req.headers['x-do'] === 'reject') return void Promise.reject(new Error('lost')).then(next)
      next()
    }]`
    await writeFile(join(config.workdir, 'plugin', 'middlewares.js'), source)
    const node = await startNode({ SERVICE_WORKDIR: config.workdir, SERVICE_HOOK_TIMEOUT: '5000' })
    closing.push(() => node.kill())
    const send = async (does: string) => {
      const answer = await fetch(`${node.url}/status`, { headers: { 'x-do': does } })
      return [answer.status, ((await answer.json()) as { error?: string }).error]
    }
    const failed = [500, 'The hook before of plugin middlewares failed.']
    expect(await send('throw')).toEqual(failed)
    expect(await send('reject')).toEqual(failed)
    expect(await send('')).toEqual([200, undefined])
  })
})

describe('files that cannot be used', () => {
  const cases: readonly (readonly [file: string, text: string, said: RegExp])[] = [
    ['storage.js', 'export default {', /plugin\/storage\.js cannot be loaded: /],
    ['storage.js', "import 'no-such-package'", /plugin\/storage\.js cannot be loaded: .*no-such-package/],
    ['storage.js', 'export const writeTemplates = () => {}', /exports none of writeTemplate, readTemplate/],
    [
      'storage.js',
      'export const readRender = 5',
      /plugin\/storage\.js: storage "storage" has a readRender that is not a function/,
    ],
    [
      'middlewares.cjs',
      'exports.before = [5]',
      /plugin\/middlewares\.cjs: .* has a before that is not a list of functions/,
    ],
    ['authentication.js', '', /exports none of getPublicKey/],
  ]
  for (const [file, text, said] of cases)
    it(`stop the start: ${file}, ${text || 'empty'}`, async () => {
      await expect(origin({ [file]: text })).rejects.toThrow(said)
    })

  it('stop the start: two of one name', async () => {
    const text = 'export const before = []'
    await expect(origin({ 'middlewares.js': text, 'middlewares.mjs': text })).rejects.toThrow('which of them')
  })
})

describe('the examples of docs/plugins.md', () => {
  it('work as they are written', async () => {
    const readme = await readFile(new URL('../../../docs/plugins.md', import.meta.url), 'utf8')
    const kept = temporaryFolder('platen-hooks')
    closing.push(() => rm(kept, { recursive: true }))
    const files: Record<string, string> = {}
    for (const [, file, code] of readme.matchAll(
      /`plugin\/(\w+\.js)`[^`]*(?:`[^`]+`[^`]*)*?```js\n([\s\S]*?)```/g,
    ))
      files[file!] = code!.replace('/mnt/documents', kept).replace('console.log', 'String')
    expect(Object.keys(files).sort()).toEqual(['authentication.js', 'middlewares.js', 'storage.js'])
    const { client } = await origin(files)
    expect((await client.get('/status')).body).toEqual({
      success: false,
      error: 'Which tenant?',
      code: 'hook.refused.403',
    })
    const tenant = createClient(client.url, { 'x-tenant': 'a' }, [client.url], false)
    const id = await tenant.hashed('{d.a:formatD(MMMM)}')
    const { renderId } = (await tenant.post(`/render/${id}`, { data: { a: '2026-08-01' } })).body.data
    expect((await readdir(kept)).sort()).toEqual([id, renderId].sort())
    const file = await tenant.get(`/render/${renderId}`)
    expect([file.text, file.headers.get('x-served-by')]).toEqual(['août', 'room 5'])
  })
})
