import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, unique } from '../contract/http/client.ts'
import { databaseFile, type EdgeTarget, edgeTarget } from '../helpers/edge-target.ts'
import { startPlaten } from '../helpers/platen-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** The file of a local D1, locked as by a backup or another command: no other connection may write or begin. */
describe('a database that is busy', () => {
  let edge: EdgeTarget
  let client: Client
  let folder: string
  let other: DatabaseSync
  beforeAll(async () => {
    folder = temporaryFolder('platen-busy')
    edge = await edgeTarget()
    client = createClient(edge.url)
    other = new DatabaseSync(databaseFile(edge))
  })
  afterAll(async () => {
    other?.close()
    await edge?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const hold = () => other.exec('BEGIN EXCLUSIVE')
  const release = () => other.exec('ROLLBACK')

  it('reads are repeated after a moment', async () => {
    const id = await client.hashed(unique('busy {d.a}'))
    hold()
    const asked = [
      client.post(`/render/${id}?download=true`, { data: { a: 1 } }),
      client.get(`/template/${id}`),
      client.get('/templates?limit=1'),
      client.get('/status'),
    ]
    const first = await Promise.race([...asked, new Promise((resolve) => setTimeout(resolve, 600, 'nobody'))])
    release()
    expect(first).toBe('nobody')
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('is reported as 503 while it stays busy, and works afterwards', async () => {
    const text = unique('never stored')
    const { versionId } = await client.version(unique('kept'))
    const { renderId } = (await client.post(`/render/${versionId}`, { data: {} })).body.data
    hold()
    const upload = () => client.form({ versioning: 'true', name: text }, { bytes: text })
    const rows = await Promise.all([
      upload(),
      client.patch(`/template/${versionId}`, { name: text }),
      client.delete(`/template/${versionId}`),
      client.post(`/render/${versionId}`, { data: {} }),
      client.get(`/render/${renderId}`),
      client.get('/templates'),
      client.get('/status'),
    ]).finally(release)
    // A database that does not answer is no fault of the caller's.
    const away = [503, { success: false, code: 'w210', error: expect.stringContaining('storage') }]
    const notReady = {
      success: false,
      code: 503,
      message: 'Database not available',
      version: expect.any(String),
    }
    expect(rows.map(({ status, body }) => [status, body])).toEqual([
      ...[away, away, away, away, away, away],
      [503, notReady],
    ])
    expect((await client.get(`/templates?search=${text}`)).body.data).toEqual([])
    expect((await client.get(`/render/${renderId}`)).status).toBe(200)
    await upload()
    expect((await client.get(`/templates?search=${text}`)).body.data).toHaveLength(1)
  })

  it('is tried again by the command, which reports it', async () => {
    const accounts = (...words: readonly string[]) =>
      startPlaten(folder, 'accounts', ...words, '--d1', 'local', '--persist-to', edge.state)
    hold()
    const made = accounts('create', 'busy', '--credits', '7')
    await made.says('The database is busy: trying again.')
    release()
    expect(await made.ended).toMatchObject({ code: 0, out: 'busy  7 credits a month' })
    // Trying again is not taken for having done it.
    hold()
    const again = accounts('create', 'busy', '--credits', '9')
    await again.says('The database is busy: trying again.')
    release()
    expect(await again.ended).toMatchObject({
      code: 2,
      err: expect.stringMatching(/There is already an account "busy"/),
    })
  })
})
