import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bytesBelow } from '../../../origin/setup/npm-packages.mjs'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const root = new URL('../../../', import.meta.url).pathname

it('the size of node_modules that the start announces is about that of this tree', () => {
  const { npmMegabytes } = JSON.parse(readFileSync(`${root}origin/setup/packages.json`, 'utf8')) as {
    npmMegabytes: number
  }
  const megabytes = bytesBelow(`${root}node_modules/`) / 1e6
  expect(npmMegabytes / megabytes).toBeGreaterThan(0.75)
  expect(npmMegabytes / megabytes).toBeLessThan(1.33)
})

it('counts files and no links', () => {
  const folder = temporary()
  mkdirSync(`${folder}/a/b`, { recursive: true })
  writeFileSync(`${folder}/one`, 'x'.repeat(10))
  writeFileSync(`${folder}/a/b/two`, 'x'.repeat(5))
  symlinkSync('/usr', `${folder}/a/link`)
  expect(bytesBelow(folder)).toBe(15)
  expect(bytesBelow(`${folder}/missing`)).toBe(0)
})

it('an installation prints the number of packages and their size', async () => {
  const folder = temporary()
  mkdirSync(`${folder}/bin`, { recursive: true })
  const locked = {
    '': {},
    'node_modules/one': { version: '1.0.0' },
    'node_modules/two': { version: '1.0.0' },
  }
  writeFileSync(`${folder}/package.json`, '{"name":"trial"}')
  writeFileSync(`${folder}/package-lock.json`, JSON.stringify({ packages: locked }))
  // What npm does, without a registry.
  const npm =
    '#!/bin/sh\nmkdir -p node_modules/one node_modules/two\nhead -c 3000000 /dev/zero > node_modules/one/code\n'
  writeFileSync(`${folder}/bin/npm`, npm)
  chmodSync(`${folder}/bin/npm`, 0o755)
  const script = `import { installNpmPackages } from '${root}origin/setup/npm-packages.mjs'
    if (!(await installNpmPackages('${folder}', console.log))) process.exit(1)`
  const env = { ...process.env, PATH: `${folder}/bin:${process.env['PATH']}` }
  const said = await new Promise((resolve) =>
    execFile(process.execPath, ['--input-type=module', '-e', script], { env }, (error, out) =>
      resolve([error?.code, out]),
    ),
  )
  expect(said).toEqual([
    undefined,
    'Installing npm packages of trial (at most 2) ...\n  installed: 2 packages, 3 MB\n',
  ])
})
