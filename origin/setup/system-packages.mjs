import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const { packages } = JSON.parse(readFileSync(new URL('./packages.json', import.meta.url), 'utf8'))

/** The packages of some groups of which no file or program is there, nor what can stand in for them (`or`). */
export function missingPackages(groups) {
  const wanted = packages.filter((one) => groups.includes(one.group))
  return wanted.filter((one) => !present(one) && !(one.or !== undefined && onPath(one.or)))
}

function present({ programs, file }) {
  if (file !== undefined) return existsSync(file)
  return programs.every(onPath)
}

export function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

/**
 * Installs what is missing where that is possible: as root, with apt-get. Elsewhere says what to install and what is
 * off without it. Returns whether everything is there.
 */
export async function installPackages(groups, say) {
  const missing = missingPackages(groups)
  if (missing.length === 0) return true
  const root = process.getuid?.() === 0
  if (root && onPath('apt-get')) {
    const update = apt(['update', '-qq'])
    // Not every system with Debian's tools has all of its packages, and one unknown name would stop them all.
    const names = missing.map(({ name, or }) => (or === undefined || isOffered(name) ? name : or))
    const install = ['install', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends', ...names]
    say(`Installing ${names.length} system packages${amountOf(install)}: ${names.join(' ')}`)
    const { status, complaints } = await followInstall(install, say)
    if (status !== 0)
      say(`apt-get could not install them:\n${lastLines(update.stderr)}${lastLines(complaints)}`)
  }
  return tellMissing(missingPackages(groups), say, root)
}

/** Packages ask nothing, and messages are read by programs. */
function environmentOfApt() {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
}

function apt(args) {
  return spawnSync('apt-get', args, { env: environmentOfApt(), encoding: 'utf8' })
}

/** What would be installed, asked without installing it: ' (236 with what they need, 310 MB to download)'. */
function amountOf(install) {
  const count = /(\d+) newly installed/.exec(apt(['--simulate', ...install]).stdout ?? '')?.[1]
  if (count === undefined) return ''
  // A line for each file that is to be fetched: its address in quotes, its name, its size in bytes, a digest.
  const files = apt(['-qq', '--print-uris', ...install]).stdout.matchAll(/^'[^']+' \S+ (\d+)/gm)
  const bytes = [...files].reduce((sum, [, size]) => sum + Number(size), 0)
  return ` (${count} with what they need, ${Math.round(bytes / 1e6)} MB to download)`
}

/** Runs apt-get and says every tenth of its way, as it tells it on a descriptor of its own (apt's APT::Status-Fd). */
function followInstall(install, say) {
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-y', '-qq', '-o', 'APT::Status-Fd=3', ...install], {
      env: environmentOfApt(),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    let complaints = ''
    child.stderr.on('data', (chunk) => (complaints += chunk))
    const steps = { dlstatus: 'downloaded', pmstatus: 'installed' }
    const told = { dlstatus: 0, pmstatus: 0 }
    let rest = ''
    child.stdio[3].on('data', (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        const [, step, percent] = /^(dlstatus|pmstatus):[^:]*:([\d.]+)/.exec(line) ?? []
        const tenth = Math.floor(Number(percent) / 10)
        if (step === undefined || tenth <= told[step]) continue
        told[step] = tenth
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

/** The rows of the table in docs/operations.md. */
export function packageTable() {
  const rows = packages.map(({ name, group, reason, off }) => `| ${name} | ${group} | ${reason} | ${off} |`)
  return ['| package | for | why | off without it |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
