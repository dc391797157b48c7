import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { platen } from '../../helpers/platen-cli.ts'
import { signaturesOf, signingFixture } from '../../helpers/signing.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const main = new URL('../../../origin/cli/main.ts', import.meta.url).pathname

describe('platen render', () => {
  let folder = ''
  const path = (name: string) => join(folder, name)
  const put = (name: string, content: unknown) =>
    writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content))
  const render = (...args: readonly string[]) => platen(folder, 'render', ...args)
  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    await mkdir(path('out'))
    await put('people.json', [{ name: 'Ann' }, { name: 'Bo' }])
    await put('one.json', { k: 2, p: 10, s: 'yes', word: 'Hi' })
    await put('enum.json', { kinds: ['a', 'b', 'c'] })
    await put('words.json', { 'de-de': { Hello: 'Hallo' } })
    await put('rates.json', { EUR: 1, USD: 2 })
    await put('more.json', { c: 'more' })
    await put('all.txt', '{t(Hello)} {d.k:convEnum(kinds)} {c.c} {$word} {d.p:formatC(2)}')
    await put('name.txt', 'Dear {d.name}')
    await put('broken.json', '{"a":1,\n}')
    await put('two.json', '{},"lang":"de"')
  })

  it('signs with a key and a password from files', async () => {
    await writeFile(path('key.p12'), Buffer.from(signingFixture('rsa.p12'), 'base64'))
    await put('password.txt', 'secret\n')
    const ran = await render(
      path('name.txt'),
      path('one.json'),
      ...['-o', path('signed.pdf'), '--sign', path('key.p12'), '--sign-password', path('password.txt')],
    )
    expect(ran).toMatchObject({ code: 0 })
    const found = signaturesOf(temporary(), await readFile(path('signed.pdf')))
    expect(found.map((one) => one.get('Signature Validation'))).toEqual(['Signature is Valid.'])
  })

  it('has an option for every field', async () => {
    const files = [
      '--enum',
      path('enum.json'),
      '--translations',
      path('words.json'),
      '--complement',
      path('more.json'),
    ]
    const currency = [
      '--currency-source',
      'EUR',
      '--currency-target',
      'USD',
      '--currency-rates',
      path('rates.json'),
    ]
    const rest = ['--lang', 'de-de', '--variable', '{#word = d.word}', '--report-name', 'name-{d.k}']
    const ran = await render(
      path('all.txt'),
      path('one.json'),
      '-o',
      path('out'),
      ...files,
      ...currency,
      ...rest,
    )
    expect(ran).toEqual({ code: 0, out: '', err: '' })
    const text = await readFile(path('out/name-2.txt'), 'utf8')
    expect(text.replace(/\s/g, ' ')).toBe('Hallo c more Hi 20,00 $')
  })

  it('makes the folder that a path with a slash at its end names', async () => {
    const args = [path('name.txt'), path('one.json'), '-o', path('new/deep/'), '--report-name', 'x']
    expect(await render(...args)).toEqual({ code: 0, out: '', err: '' })
    expect(await readFile(path('new/deep/x.txt'), 'utf8')).toBe('Dear ')
  })

  it('applies options to a document that keeps its type', async () => {
    const ran = await render(
      path('name.txt'),
      path('one.json'),
      '-o',
      path('same.txt'),
      '--option',
      'NoSuch=1',
    )
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('Option NoSuch has no effect') })
  })

  it('makes a batch', async () => {
    const batch = ['--batch-split-by', 'd', '--batch-report-name', '{d.name}']
    expect((await render(path('name.txt'), path('people.json'), '-o', path('all.zip'), ...batch)).code).toBe(
      0,
    )
    expect(Object.keys(unzipSync(await readFile(path('all.zip'))))).toEqual(['Ann.txt', 'Bo.txt'])
  })

  it('reads standard input and writes standard output', async () => {
    await put('ann.json', { name: 'Ann' })
    const env = { ...process.env, SERVICE_WORKDIR: folder }
    const args = [main, 'render', '-', path('ann.json'), '-o', '-', '--to', 'txt']
    const child = spawn(process.execPath, args, { env })
    child.stdin.end('Dear {d.name}')
    let out = ''
    for await (const chunk of child.stdout) out += chunk
    expect(out).toBe('Dear Ann')
    expect((await render('-', '-', '-o', path('x.txt'))).err).toContain('Only one file')
  })

  it.each([
    [['--langg', 'de'], 'did you mean --lang'],
    [['--batch-output', 'tar', '--batch-split-by', 'd'], '"batchOutput" must be "zip" or "pdf"'],
    [['--fail-on', 'NOTHING'], '"failOn" must be an array of known values'],
    [['--enum', 'none.json'], 'Cannot read none.json'],
    [['--enum', 'broken.json'], 'broken.json is not valid JSON: '],
    [['--complement', 'two.json'], 'two.json is not valid JSON: '],
  ])('%j is an error that names the mistake', async (more, says) => {
    const files = more.map((one) => (/^(?:broken|two)\.json$/.test(one) ? path(one) : one))
    const { code, err } = await render(path('name.txt'), path('people.json'), '-o', path('x.txt'), ...files)
    expect(code).not.toBe(0)
    expect(err).toContain(says)
  })

  it('renders again when the template or the data changes', async () => {
    await put('watched.txt', 'Dear {d.name}')
    await put('watched.json', { name: 'Ann' })
    const env = { ...process.env, SERVICE_WORKDIR: folder }
    const args = [
      'render',
      '--watch',
      path('watched.txt'),
      path('watched.json'),
      '-o',
      path('watched.out.txt'),
    ]
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let told = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
    const reads = (text: string) =>
      expect
        .poll(() => readFile(path('watched.out.txt'), 'utf8').catch(() => ''), { timeout: 100_000 })
        .toBe(text)
    try {
      await reads('Dear Ann')
      await put('watched.json', { name: 'Bo' })
      await reads('Dear Bo')
      await put('watched.json', '{')
      await expect
        .poll(() => told, { timeout: 100_000 })
        .toContain(`error: ${path('watched.json')} is not valid JSON`)
      await put('watched.txt', 'Hello {d.name}')
      await put('watched.json', { name: 'Cy' })
      await reads('Hello Cy')
    } finally {
      child.kill()
    }
  })
})
