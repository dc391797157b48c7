import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const { packages } = JSON.parse(readFileSync(new URL('./packages.json', import.meta.url), 'utf8'))

/**
 * The packages of some groups that are not installed, and whose replacement (`or`) is not installed either.
 */
export function missingPackages(groups) {
  const required = packages.filter((pkg) => groups.includes(pkg.group))
  return required.filter((pkg) => !present(pkg) && !(pkg.or !== undefined && onPath(pkg.or)))
}

function present({ programs, file }) {
  if (file !== undefined) return existsSync(file)
  return programs.every(onPath)
}

/** Whether a program is in a folder of PATH. */
export function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

/**
 * Installs missing packages if that is possible, that is as root and with apt-get. Otherwise prints what to
 * install and what is unavailable without it. Returns whether everything is installed.
 */
export async function installPackages(groups, say) {
  const missing = missingPackages(groups)
  if (missing.length === 0) return true
  const root = process.getuid?.() === 0
  if (root && onPath('apt-get')) {
    const update = apt(['update', '-qq'])
    if (update.status !== 0) say(`apt-get could not fetch its lists:\n${lastLines(update.stderr)}`.trimEnd())
    // Fonts come last and by themselves, because without one of them only some text looks different.
    for (const fonts of [false, true]) {
      const names = missing.filter((pkg) => (pkg.fonts ?? false) === fonts).flatMap(nameOffered)
      if (names.length > 0) await install(names, fonts ? 'fonts' : 'system packages', say)
    }
  }
  return reportMissing(missingPackages(groups), say, root)
}

async function install(names, what, say) {
  // One that cannot be fetched does not hold back the others.
  const args = [
    'install',
    '-o',
    'DPkg::Lock::Timeout=120',
    '--fix-missing',
    '--no-install-recommends',
    ...names,
  ]
  say(`Installing ${names.length} ${what}${amountOf(args)}: ${names.join(' ')}`)
  const { status, complaints } = await followInstall(args, say)
  if (status !== 0) say(`apt-get could not install them:\n${lastLines(complaints)}`.trimEnd())
}

/**
 * The name to install: the package, its replacement, or nothing. Not every derivative of Debian offers all packages,
 * and apt-get installs nothing if one name is unknown.
 */
function nameOffered({ name, or }) {
  return [name, or].filter((candidate) => candidate !== undefined && isOffered(candidate)).slice(0, 1)
}

/** Packages must not ask questions, and messages are in English because they are parsed. */
function environmentOfApt() {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
}

function apt(args) {
  return spawnSync('apt-get', args, { env: environmentOfApt(), encoding: 'utf8' })
}

/** Simulates an installation to describe its size: ' (236 with what they need, 310 MB to download)'. */
function amountOf(install) {
  const count = /(\d+) newly installed/.exec(apt(['--simulate', ...install]).stdout ?? '')?.[1]
  if (count === undefined) return ''
  // One line for each file to download: its URL in quotes, its name, its size in bytes, a digest.
  const files = apt(['-qq', '--print-uris', ...install]).stdout.matchAll(/^'[^']+' \S+ (\d+)/gm)
  const bytes = [...files].reduce((sum, [, size]) => sum + Number(size), 0)
  return ` (${count} with what they need, ${Math.round(bytes / 1e6)} MB to download)`
}

/**
 * Runs apt-get and prints its progress in steps of 10 %, which it writes to a file descriptor (APT::Status-Fd
 * of apt).
 */
function followInstall(install, say) {
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-y', '-qq', '-o', 'APT::Status-Fd=3', ...install], {
      env: environmentOfApt(),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    let complaints = ''
    child.stderr.on('data', (chunk) => (complaints += chunk))
    const steps = { dlstatus: 'downloaded', pmstatus: 'installed' }
    const reported = { dlstatus: 0, pmstatus: 0 }
    let rest = ''
    child.stdio[3].on('data', (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        const [, step, percent] = /^(dlstatus|pmstatus):[^:]*:([\d.]+)/.exec(line) ?? []
        const tenth = Math.floor(Number(percent) / 10)
        if (step === undefined || tenth <= reported[step]) continue
        reported[step] = tenth
        say(`  ${tenth * 10} % ${steps[step]}`)
      }
    })
    child.on('error', (error) => resolve({ status: 1, complaints: error.message }))
    child.on('close', (status) => resolve({ status, complaints }))
  })
}

function isOffered(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
}

function reportMissing(missing, say, root) {
  if (missing.length === 0) return true
  say('These system packages are missing. The service runs without them; what needs them is off:')
  for (const { name, off } of missing) say(`  ${name.padEnd(28)} ${off}`)
  const names = missing.map((pkg) => pkg.name).join(' ')
  if (onPath('apt-get'))
    say(`Install them with: ${root ? '' : 'sudo '}apt-get install --no-install-recommends ${names}`)
  else say('On this system, install LibreOffice and the fonts with its own package manager.')
  return false
}

function lastLines(text) {
  const lines = (text ?? '').trim().split('\n').slice(-3)
  return lines[0] === '' ? '' : `${lines.join('\n')}\n`
}

/** The rows of the table in docs/operations.md. */
export function packageTable() {
  const rows = packages.map(({ name, group, reason, off }) => `| ${name} | ${group} | ${reason} | ${off} |`)
  return ['| package | for | why | off without it |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
