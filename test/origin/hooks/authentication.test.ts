import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createKeys, keyFiles } from '../../../origin/auth/key-files.ts'
import { signToken } from '../../../origin/auth/sign-token.ts'
import { issuerKeys } from '../../../origin/hooks/issuers.ts'
import { startServer } from '../../../origin/server.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { testConfig } from '../../helpers/origin-config.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const expiresAt = Math.floor(Date.now() / 1000) + 3600

/** An issuer of tokens with keys of its own. */
async function issuer(name: string) {
  const files = keyFiles(temporary())
  await createKeys(files)
  const token = (iss = name) => signToken(files.privateKey, { issuer: iss, audience: 'service', expiresAt })
  return { publicKeys: files.publicKeys, token }
}

it('asks the hook for the keys of each issuer, and refuses issuers without one', async () => {
  const { config, remove } = await testConfig({ mergeWorkers: 1, authentication: true })
  const [one, two, stranger] = await Promise.all([issuer('one'), issuer('two'), issuer('stranger')])
  await mkdir(join(config.workdir, 'plugin'), { recursive: true })
  const source = `
  import { appendFileSync, readFile } from 'node:fs'
  const keys = { one: ${JSON.stringify(one.publicKeys)}, two: ${JSON.stringify(two.publicKeys)} }
  export function getPublicKey(req, res, payload, cb) {
    appendFileSync(new URL('asked', import.meta.url), req.url + ' ' + payload.iss + '\\n')
    if (keys[payload.iss] === undefined) return cb(new Error('no such issuer'))
    readFile(keys[payload.iss], 'utf8', cb)
  }`
  await writeFile(join(config.workdir, 'plugin', 'authentication.js'), source)
  const server = await startServer(config)
  const status = async (token: string) => {
    const answer = await fetch(`${server.url}/templates`, { headers: { authorization: `Bearer ${token}` } })
    return answer.status
  }
  const own = await signToken(
    await createKeys(keyFiles(config.workdir)).then(() => keyFiles(config.workdir).privateKey),
    { issuer: 'platen', audience: 'service', expiresAt },
  )
  expect([await status(await one.token()), await status(await two.token())]).toEqual([200, 200])
  expect(await status(await two.token('one'))).toBe(401) // signed by another than it says
  expect(await status(own)).toBe(401) // the keys of the service do not count beside a hook
  for (let tries = 0; tries < 3; tries++) expect(await status(await stranger.token())).toBe(401)
  expect(await status('not.a.token')).toBe(401)
  expect((await fetch(`${server.url}/status`)).status).toBe(200)
  expect(await status(await one.token())).toBe(200)
  const asked = (await readFile(join(config.workdir, 'plugin', 'asked'), 'utf8')).trim().split('\n')
  const expected = ['one', 'two', 'one', 'platen', 'stranger', 'one']
  expect(asked).toEqual(expected.map((name) => `/templates ${name}`))
  await server.stop()
  await remove()
})

it('asks again for an unknown issuer after a minute, and for a known one at once', async () => {
  const { publicKeys } = await issuer('known')
  const pem = await readFile(publicKeys)
  const time = { now: 1_000_000 }
  const asked: unknown[] = []
  let answer: (claims: Readonly<Record<string, unknown>>) => unknown = () => undefined
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const keysFor = issuerKeys({
    keysFor: async (claims) => {
      asked.push(claims['iss'])
      return answer(claims)
    },
    clock: { now: () => time.now },
    log,
  })
  const refused = { code: 'api.unauthorized' }
  await expect(keysFor({ iss: 'a' })).rejects.toMatchObject(refused)
  time.now += 59_999
  await expect(keysFor({ iss: 'a' })).rejects.toMatchObject(refused)
  expect(asked).toEqual(['a'])
  time.now += 1
  answer = () => pem
  expect(await keysFor({ iss: 'a' })).toHaveLength(1)
  answer = () => {
    throw new Error('a database is away')
  }
  await expect(keysFor({ iss: 'a' })).rejects.toMatchObject(refused)
  answer = () => 'no key at all'
  await expect(keysFor({ iss: 'a' })).rejects.toMatchObject(refused)
  answer = () => pem
  expect(await keysFor({ iss: 'a' })).toHaveLength(1)
  expect(asked).toHaveLength(5)
  answer = () => {
    throw new AppError('hook.slow', { plugin: 'keys', hook: 'getPublicKey' })
  }
  for (let tries = 0; tries < 2; tries++)
    await expect(keysFor({ iss: 'slow' })).rejects.toMatchObject({ code: 'hook.slow' })
  expect(asked).toHaveLength(7)
})
