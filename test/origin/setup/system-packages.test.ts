import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const setup = new URL('../../../origin/setup/', import.meta.url)

/** An apt-get that notes what it is to install and cannot install fonts, an apt-cache that lacks one package, and root. */
const programs = {
  'apt-get': `echo "$@" >> "$NOTES"
case "$*" in *--simulate*|*--print-uris*) exit 0 ;; *fonts-*) echo "E: Unable to fetch some archives" >&2; exit 100 ;; esac`,
  'apt-cache': '[ "$2" != fonts-nowhere ]',
}

const packages = [
  { name: 'fonts-nowhere', fonts: true, file: '/no/such/file', off: 'Runes are drawn as boxes' },
  { name: 'fonts-somewhere', fonts: true, file: '/no/such/file', off: 'Glyphs are drawn as boxes' },
  { name: 'office', programs: ['no-such-program'], off: 'Engine L' },
].map((one) => ({ ...one, group: 'service', reason: 'A test' }))

it('fonts are installed after the programs, and one that is not available is named with its purpose', () => {
  const folder = temporary()
  const notes = `${folder}/notes`
  mkdirSync(`${folder}/bin`, { recursive: true })
  for (const [name, script] of Object.entries(programs))
    writeFileSync(`${folder}/bin/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  cpSync(new URL('system-packages.mjs', setup), `${folder}/system-packages.mjs`)
  writeFileSync(`${folder}/packages.json`, JSON.stringify({ packages }))
  const script = `process.getuid = () => 0
    const { installPackages } = await import('${folder}/system-packages.mjs')
    console.log('complete:', await installPackages(['service'], (line) => console.log(line)))`
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: `${folder}/bin:/usr/bin:/bin`, NOTES: notes },
    encoding: 'utf8',
  })
  const installs = readFileSync(notes, 'utf8')
    .split('\n')
    .filter((line) => line.includes('Status-Fd'))
    .map((line) => /--no-install-recommends (.*)/.exec(line)?.[1])
  expect(installs).toEqual(['office', 'fonts-somewhere'])
  expect(stdout).toContain('Installing 1 fonts: fonts-somewhere')
  expect(stdout).toContain('Unable to fetch some archives')
  expect(stdout).toMatch(
    /missing\. The service runs without them.*\n\s+fonts-nowhere\s+Runes are drawn as boxes/,
  )
  expect(stdout).toContain('complete: false')
  expect(status).toBe(0)
})
