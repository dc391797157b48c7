import { readdirSync } from 'node:fs'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../../origin/cli/run.ts'

const folder = new URL('../../../origin/cli/', import.meta.url).pathname
const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
afterAll(() => log.mockRestore())

/** What the command prints, run in this process: help is nothing but text, and there are more than twenty commands. */
async function platen(...args: readonly string[]): Promise<string> {
  log.mockClear()
  expect(await runCommandLine(args)).toBe(0)
  return log.mock.calls.map(([text]) => `${text}\n`).join('')
}

describe('platen --help', () => {
  it('lists every command with one sentence, in a terminal of 100 columns', async () => {
    const text = await platen('--help')
    const commands = [...text.matchAll(/^ {2}(\S+) {2,}[A-Z]/gm)].map(([, name = '']) => name)
    const withFile = ['render', 'convert', 'lint', 'test', 'diff', 'types', 'plan', 'invoice', 'verify']
    expect(commands).toEqual(expect.arrayContaining([...withFile, 'schema', 'webserver', 'restore']))
    const sources = readdirSync(folder)
      .filter((name) => /^(?:generate|webhook)-\w+\.ts$/.test(name))
      .map((name) => name.slice(0, -3))
    expect(commands).toEqual(expect.arrayContaining(sources))
    for (const name of commands) expect(await platen(name, '--help')).toMatch(new RegExp(`^platen ${name} ?`))
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(105)
  })
})

describe('platen COMMAND --help', () => {
  it('explains each option of render', async () => {
    const text = await platen('render', '--help')
    for (const option of [
      '-o, --output OUT',
      '--to FORMAT',
      '--sign KEY.pem|KEY.p12',
      '--currency-rates FILE.json',
    ])
      expect(text).toMatch(new RegExp(`^ {2}${option.replace(/[.|]/g, '\\$&')}\n {6}[A-Z].*\\.$`, 'm'))
  })
  it('shows the default of each option of webserver', async () => {
    const text = await platen('webserver', '--help')
    expect(text).toContain('  --port, -p (4000)\n')
    expect(text).toContain('  --renderTimeout (60000)\n')
    expect(text).toContain('  --signKey\n')
  })
})
