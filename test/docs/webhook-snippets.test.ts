import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountSecrets, readWebhookSecrets, secretText, signNotice } from '../../shared/webhook/sign.ts'
import { useTemporary } from '../helpers/temporary.ts'

const docs = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
const snippet = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(docs)?.[1] ?? ''

interface Call {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The languages that the set-up has. Each prints 'true' or 'false'. */
const runners: Readonly<
  Record<string, { readonly file: string; readonly command: string; readonly rest: string }>
> = {
  js: {
    file: 'check.mjs',
    command: process.execPath,
    rest: `
const { secret, headers, body } = JSON.parse(process.argv[2])
console.log(isGenuine(secret, headers, body))`,
  },
  python: {
    file: 'check.py',
    command: 'python3',
    rest: `
import json, sys
call = json.loads(sys.argv[1])
print(str(is_genuine(call['secret'], call['headers'], call['body'].encode())).lower())`,
  },
}

describe('the code that checks webhook calls', () => {
  const temporary = useTemporary()
  const body = '{"success":true,"data":{"renderId":"é"}}'
  const operator = secretText(new Uint8Array(32).fill(7))
  let secret = ''
  let call: Call
  beforeAll(async () => {
    const secrets = await accountSecrets(readWebhookSecrets([operator]), 'acme')
    secret = secretText(secrets[0]!)
    const time = Math.floor(Date.now() / 1000)
    call = { secret, headers: await signNotice(secrets, { id: 'msg_1', time, body }), body }
  })

  for (const [language, { file, command, rest }] of Object.entries(runners))
    it(`${language}: takes a call of the account, and no other`, async () => {
      const folder = temporary()
      await mkdir(folder, { recursive: true })
      const path = join(folder, file)
      await writeFile(path, snippet(language) + rest)
      const check = (changed: Partial<Call>) =>
        execFileSync(command, [path, JSON.stringify({ ...call, ...changed })], { encoding: 'utf8' }).trim()
      const old = String(Number(call.headers['webhook-timestamp']) - 1000)
      const answers = [
        check({}),
        check({ body: `${body} ` }),
        check({ secret: operator }),
        check({ headers: { ...call.headers, 'webhook-timestamp': old } }),
      ]
      expect(answers).toEqual(['true', 'false', 'false', 'false'])
    })
})
