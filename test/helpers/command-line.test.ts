import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const helper = new URL('command-line.ts', import.meta.url).href
const script = [
  `const { readScriptArguments } = await import('${helper}')`,
  'const given = { args: process.argv.slice(1), options: { at: { type: "string" } } }',
  "const { values } = readScriptArguments('look [--at <page>]', given)",
  'console.log(values.at)',
].join('\n')
const flags = ['--no-warnings', '--input-type=module', '-e', script, '--']

it('reads the arguments of a script', () => {
  expect(execFileSync(process.execPath, [...flags, '--at', '3'], { encoding: 'utf8' })).toBe('3\n')
})

it.each([
  {
    what: 'prints the usage for --help',
    given: '--help',
    stdout: 'look [--at <page>]\n',
    stderr: '',
    status: 0,
  },
  {
    what: 'names an option that it does not know, without a stack',
    given: '--att=3',
    stdout: '',
    stderr: 'Option --att is not known; did you mean --at.\n\nlook [--at <page>]\n',
    status: 2,
  },
])('$what', ({ given, stdout, stderr, status }) => {
  const ended = spawnSync(process.execPath, [...flags, given], { encoding: 'utf8' })
  expect(ended).toMatchObject({ stdout, stderr, status })
})
