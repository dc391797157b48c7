import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createKeys, ensureKeys, keyFiles, publicHalf, rotateKeys } from '../../../origin/auth/key-files.ts'
import { openAuthentication } from '../../../origin/auth/open-authentication.ts'
import { signToken } from '../../../origin/auth/sign-token.ts'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const later = () => Math.floor(Date.now() / 1000) + 60

async function open(workdir: string, publicKeys = '') {
  const events: [string, unknown][] = []
  const log = (event: string, details?: unknown) => void events.push([event, details])
  const sql = openSqlite(':memory:')
  await migrate(sql, await readMigrations())
  const { authenticate } = await openAuthentication({
    workdir,
    publicKeys,
    audience: 'service',
    hosted: false,
    clock: { now: () => Date.now() },
    sql,
    log: { debug: log, info: log, warn: log, error: log },
  })
  const sign = (account?: string) =>
    signToken(keyFiles(workdir).privateKey, {
      issuer: 'test',
      audience: 'service',
      expiresAt: later(),
      account,
    })
  return { events, sign, check: async (token: string) => (await authenticate(`Bearer ${token}`)).account }
}

it('the first start creates the key pair, readable by its owner only, and logs where; the next start uses it', async () => {
  const workdir = temporary()
  const files = keyFiles(workdir)
  const first = await open(workdir)
  expect(first.events).toEqual([['authentication.keys-created', files]])
  expect((await stat(files.privateKey)).mode & 0o777).toBe(0o600)
  expect((await readdir(join(workdir, 'config'))).sort()).toEqual(['key.pem', 'key.pub'])
  const token = await first.sign('acme')
  expect(await first.check(token)).toBe('acme')
  const second = await open(workdir)
  expect(second.events).toEqual([['authentication.keys', files]])
  expect(await second.check(token)).toBe('acme')
})

it('processes that start at once share one pair', async () => {
  const files = keyFiles(temporary())
  const all = await Promise.all(Array.from({ length: 8 }, () => ensureKeys(files)))
  expect(new Set(all.map(({ text }) => text)).size).toBe(1)
  expect(all.filter(({ created }) => created)).toHaveLength(1)
  expect(all[0]!.text).toBe(await publicHalf(files.privateKey))
})

it('a missing public key is derived from the private key', async () => {
  const workdir = temporary()
  const { privateKey, publicKeys } = keyFiles(workdir)
  await createKeys({ privateKey, publicKeys: join(temporary(), 'elsewhere') })
  const { check, sign } = await open(workdir)
  expect(await check(await sign())).toBe('self')
  expect(await readFile(publicKeys, 'utf8')).toBe(await publicHalf(privateKey))
})

it('createKeys leaves existing keys unchanged', async () => {
  const files = keyFiles(temporary())
  expect(await createKeys(files)).toBe(true)
  const before = await readFile(files.privateKey, 'utf8')
  expect(await createKeys(files)).toBe(false)
  expect(await readFile(files.privateKey, 'utf8')).toBe(before)
})

it('after a rotation old and new tokens are valid', async () => {
  const workdir = temporary()
  const before = await (await open(workdir)).sign('old')
  await rotateKeys(keyFiles(workdir))
  const { check, sign } = await open(workdir)
  expect([await check(before), await check(await sign('new'))]).toEqual(['old', 'new'])
  expect((await stat(keyFiles(workdir).privateKey)).mode & 0o777).toBe(0o600)
})

it('keys of the configuration are used alone, and no files are created', async () => {
  const [workdir, other] = [temporary(), temporary()]
  const mine = await open(other)
  const { check } = await open(workdir, await readFile(keyFiles(other).publicKeys, 'utf8'))
  expect(await check(await mine.sign('acme'))).toBe('acme')
  await expect(readdir(workdir)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('unusable keys stop the start', async () => {
  const workdir = temporary()
  await mkdir(join(workdir, 'config'), { recursive: true })
  await writeFile(keyFiles(workdir).publicKeys, '')
  await expect(open(workdir)).rejects.toMatchObject({ code: 'auth.keys' })
  await expect(open(temporary(), 'secret')).rejects.toMatchObject({ code: 'auth.keys' })
  const damaged = temporary()
  await mkdir(join(damaged, 'config'), { recursive: true })
  await writeFile(keyFiles(damaged).privateKey, 'secret')
  await expect(open(damaged)).rejects.toMatchObject({ code: 'auth.keys' })
})
