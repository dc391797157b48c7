import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountSecrets, secretText } from '../../../shared/webhook/sign.ts'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
describe('platen generate-keys and generate-token', () => {
  let folder = ''
  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
  })

  it('generate-token without keys names the command that creates them', async () => {
    const { code, err } = await platen(folder, 'generate-token')
    expect([code, err]).toEqual([2, expect.stringContaining('platen generate-keys')])
  })

  it('keys are created once, and the private key is readable by its owner only', async () => {
    const { code, out } = await platen(folder, 'generate-keys')
    expect([code, out]).toEqual([
      0,
      `private  ${join(folder, 'config/key.pem')}\npublic   ${join(folder, 'config/key.pub')}`,
    ])
    expect((await stat(join(folder, 'config/key.pem'))).mode & 0o777).toBe(0o600)
    expect((await platen(folder, 'generate-keys')).code).toBe(1)
  })

  it('a token is ES512, for the audience, valid for a year, and long enough for every client', async () => {
    const { code, out } = await platen(folder, 'generate-token')
    expect(code).toBe(0)
    expect(out.length).toBeGreaterThanOrEqual(300)
    expect(decodeProtectedHeader(out)).toEqual({ alg: 'ES512', typ: 'JWT' })
    const key = await importSPKI(await readFile(join(folder, 'config/key.pub'), 'utf8'), 'ES512')
    const { payload } = await jwtVerify(out, key, { audience: 'service' })
    expect(payload.exp! - payload.iat!).toBe(365 * 86_400)
    expect(payload).toMatchObject({ iss: 'platen', jti: expect.any(String) })
    expect(payload).not.toHaveProperty('account')
  })

  it('claims are those requested, and the audience defaults to that of the configuration', async () => {
    const asked = ['--iss', 'ci', '--aud', 'b', '--exp', '12h', '--account', 'acme']
    const claims = decodeJwt((await platen(folder, 'generate-token', ...asked)).out)
    expect(claims).toMatchObject({ iss: 'ci', aud: 'b', account: 'acme' })
    expect(claims.exp! - claims.iat!).toBe(12 * 3600)
    const other = temporary()
    await mkdir(join(other, 'config'), { recursive: true })
    await writeFile(join(other, 'config/config.json'), '{"jwtAudience":"ours"}')
    await platen(folder, 'generate-keys', '--workdir', other)
    const { out } = await platen(folder, 'generate-token', '-w', other, '--exp', '4000000000')
    expect(decodeJwt(out)).toMatchObject({ aud: 'ours', exp: 4_000_000_000 })
  })

  it('--rotate keeps the old public key', async () => {
    const before = await readFile(join(folder, 'config/key.pub'), 'utf8')
    expect((await platen(folder, 'generate-keys', '--rotate')).code).toBe(0)
    const after = await readFile(join(folder, 'config/key.pub'), 'utf8')
    expect(after.endsWith(before) && after.length > before.length).toBe(true)
  })

  const wrong: readonly (readonly string[])[] = [
    ['--exp', '3600'],
    ['--exp', 'soon'],
    ['--exp', '999999999999y'],
    ['--account', '../x'],
    ['--account', 'Acme'],
    ['--iss', ''],
    ['--bogus'],
    ['stray'],
  ]
  for (const args of wrong) {
    it(`generate-token ${args.join(' ')} is a usage error`, async () => {
      const { code, out } = await platen(folder, 'generate-token', ...args)
      expect([code, out]).toEqual([2, ''])
    })
  }
})

describe('platen webhook-secret', () => {
  it('prints the secret of an account, one for each of the operator', async () => {
    const folder = temporary()
    await mkdir(join(folder, 'config'), { recursive: true })
    expect(await platen(folder, 'webhook-secret')).toMatchObject({
      code: 2,
      err: expect.stringContaining('SERVICE_WEBHOOK_SECRET'),
    })
    const operator = [1, 2].map((fill) => new Uint8Array(32).fill(fill))
    const webhookSecret = operator.map(secretText)
    await writeFile(join(folder, 'config/config.json'), JSON.stringify({ webhookSecret }))
    for (const account of ['self', 'acme']) {
      const { code, out } = await platen(folder, 'webhook-secret', '--account', account)
      const secrets = await accountSecrets(operator, account)
      expect([code, out]).toEqual([0, secrets.map(secretText).join('\n')])
    }
    expect((await platen(folder, 'webhook-secret', '--account', 'A B')).code).toBe(2)
  })
})
