import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const { packages } = JSON.parse(readFileSync(new URL('./packages.json', import.meta.url), 'utf8'))

/** The packages of some groups of which no file or program is there, nor what can stand in for them (`or`). */
export function missingPackages(groups) {
  const wanted = packages.filter((one) => groups.includes(one.group))
  return wanted.filter((one) => !present(one) && !(one.or !== undefined && onPath(one.or)))
}

function present({ binary, file }) {
  if (file !== undefined && existsSync(file)) return true
  return binary !== undefined && onPath(binary)
}

export function onPath(binary) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, binary)))
}

/**
 * Installs what is missing where that is possible: as root, with apt-get. Elsewhere says what to install and what is
 * off without it. Returns whether everything is there.
 */
export function installPackages(groups, say) {
  const missing = missingPackages(groups)
  if (missing.length === 0) return true
  const root = process.getuid?.() === 0
  if (root && onPath('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) =>
      spawnSync('apt-get', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const update = apt('update', '-qq')
    // Not every system with Debian's tools has all of its packages, and one unknown name would stop them all.
    const names = missing.map(({ name, or }) => (or === undefined || isOffered(name) ? name : or))
    say(`Installing ${names.length} system packages: ${names.join(' ')}`)
    const install = apt(
      'install',
      '-y',
      '-qq',
      '-o',
      'DPkg::Lock::Timeout=120',
      '--no-install-recommends',
      ...names,
    )
    if (install.status !== 0) {
      say(`apt-get could not install them:\n${lastLines(update.stderr)}${lastLines(install.stderr)}`)
    }
  }
  return tellMissing(missingPackages(groups), say, root)
}

function isOffered(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
}

function tellMissing(missing, say, root) {
  if (missing.length === 0) return true
  say('These system packages are missing. The service runs without them; what they are for is off:')
  for (const { name, off } of missing) say(`  ${name.padEnd(28)} ${off}`)
  const names = missing.map((one) => one.name).join(' ')
  if (onPath('apt-get'))
    say(`Install them with: ${root ? '' : 'sudo '}apt-get install --no-install-recommends ${names}`)
  else say('On this system, install LibreOffice and the fonts by its own package manager.')
  return false
}

function lastLines(text) {
  const lines = (text ?? '').trim().split('\n').slice(-3)
  return lines[0] === '' ? '' : `${lines.join('\n')}\n`
}

/** The rows of the README table. */
export function packageTable() {
  const rows = packages.map(({ name, group, reason, off }) => `| ${name} | ${group} | ${reason} | ${off} |`)
  return ['| package | for | why | off without it |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
