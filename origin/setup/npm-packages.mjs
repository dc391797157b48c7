import { spawn } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Whether node_modules matches the lock file. npm records what it installed in
 * node_modules/.package-lock.json. Optional packages may be missing there, because they are for other
 * platforms.
 */
export function inStep(folder) {
  const installed = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages
  const required = readJson(join(folder, 'package-lock.json'))?.packages
  if (installed === undefined || required === undefined) return false
  return Object.entries(required).every(([path, { version, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    return found === undefined ? optional === true : found.version === version
  })
}

/**
 * Installs the versions of the lock file. Returns whether that worked.
 *
 * `npm ci` requires the optional packages of every platform in the lock file, and refuses a lock file that
 * was written when the registry lacked some of them. `npm install --no-save` installs the same versions
 * without those packages.
 */
export async function installNpmPackages(folder, say) {
  if (inStep(folder)) return linkNode(folder)
  const count = Object.keys(readJson(join(folder, 'package-lock.json'))?.packages ?? {}).length
  say(`Installing npm packages of ${nameOf(folder)} (at most ${count}) ...`)
  const env = await environmentOfNpm(folder, say)
  const npm = (...args) => runNpm([...args, ...quiet], folder, env, say)
  if ((await npm('ci')).status === 0) return linkNode(folder)
  const { status, complaints } = await npm('install', '--no-save')
  if (status === 0) return linkNode(folder)
  say(`npm could not install them:\n${complaints.trim().split('\n').slice(-5).join('\n')}`)
  return false
}

const quiet = ['--no-fund', '--no-audit', '--loglevel=error']

function nameOf(folder) {
  return readJson(join(folder, 'package.json'))?.name ?? folder
}

/**
 * npm skips optional packages that do not support the Node it runs on, and the native parts of the tools are
 * such packages. On an old Node, the project's own Node is therefore installed first and npm runs on that.
 */
async function environmentOfNpm(folder, say) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major >= 22 || (major === 20 && minor >= 19)) return process.env
  const name = `node-${process.platform}-${process.arch}`
  const version = readJson(join(root, 'package.json'))?.optionalDependencies?.[name]
  if (version === undefined) return process.env
  const prefix = join(root, '.cache', 'node-for-npm')
  const programs = join(prefix, 'node_modules', name, 'bin')
  if (!existsSync(programs)) {
    say(`Installing Node ${version}, with which npm installs the rest ...`)
    const args = ['install', '--no-save', ...quiet, '--prefix', prefix, `${name}@${version}`]
    const { status } = await runNpm(args, folder, process.env, say)
    if (status !== 0) say(`Node ${version} could not be installed for npm; going on with ${process.version}.`)
  }
  return existsSync(programs)
    ? { ...process.env, PATH: `${programs}:${process.env.PATH ?? ''}` }
    : process.env
}

/** Runs npm. Without a terminal npm prints no progress, so a message is printed every 15 seconds. */
function runNpm(args, folder, env, say) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
    })
    let complaints = ''
    let seconds = 0
    const timer = setInterval(() => say(`  npm works since ${(seconds += 15)} s`), 15_000)
    const end = (status) => {
      clearInterval(timer)
      resolve({ status, complaints })
    }
    child.stderr.on('data', (chunk) => (complaints += chunk))
    child.on('error', (error) => {
      complaints += error.code === 'ENOENT' ? 'npm is not installed.' : error.message
      end(1)
    })
    child.on('close', end)
  })
}

/**
 * Links the project's Node. npm 9 does not link it, because the packages of several platforms have a program
 * of this name.
 */
function linkNode(folder) {
  const link = join(folder, 'node_modules/.bin/node')
  const program = `node-${process.platform}-${process.arch}/bin/node`
  if (!existsSync(link) && existsSync(join(folder, 'node_modules', program)))
    symlinkSync(`../${program}`, link)
  return true
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
