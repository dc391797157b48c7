import { spawn } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
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
    const entry = installed[path]
    return entry === undefined ? optional === true : entry.version === version
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
  const paths = pathsOf(folder)
  const { npmMegabytes } = readJson(join(root, 'origin/setup/packages.json')) ?? {}
  const size =
    join(folder) === join(root) && npmMegabytes !== undefined ? `, about ${npmMegabytes} MB on disk` : ''
  say(`Installing npm packages of ${nameOf(folder)} (at most ${paths.length}${size}) ...`)
  const env = await environmentOfNpm(folder, say)
  const npm = (...args) => runNpm([...args, ...quiet], folder, env, say)
  const done = () => {
    say(`  installed: ${installedText(folder)}`)
    return linkNode(folder)
  }
  if ((await npm('ci')).status === 0) return done()
  const { status, complaints } = await npm('install', '--no-save')
  if (status === 0) return done()
  say(`npm could not install them:\n${complaints.trim().split('\n').slice(-5).join('\n')}`)
  return false
}

const quiet = ['--no-fund', '--no-audit', '--loglevel=error']

/** The folders that the lock file names, relative to its own. */
function pathsOf(folder) {
  const locked = readJson(join(folder, 'package-lock.json'))?.packages ?? {}
  return Object.keys(locked).filter((path) => path !== '')
}

/**
 * How far an installation is: '412 packages, 350 MB'. The registry gives sizes only package by package, so the disk is
 * measured.
 */
function installedText(folder) {
  const count = pathsOf(folder).filter((path) => existsSync(join(folder, path))).length
  return `${count} packages, ${Math.round(bytesBelow(join(folder, 'node_modules')) / 1e6)} MB`
}

/**
 * The bytes of all files below a folder. Links are not followed, and what npm removes meanwhile counts as nothing. It
 * blocks, which takes a second for 60,000 files: nothing else happens in this process.
 */
export function bytesBelow(folder) {
  let bytes = 0
  for (const entry of unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += bytesBelow(path)
    else if (entry.isFile()) bytes += unlessGone(() => lstatSync(path).size) ?? 0
  }
  return bytes
}

function unlessGone(read) {
  try {
    return read()
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

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

/**
 * Runs npm. Without a terminal npm prints no progress, so every 15 seconds a message says what is on the disk. npm
 * unpacks all packages side by side and renames their folders at the end, so the size is what grows.
 */
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
    const timer = setInterval(() => {
      seconds += 15
      say(`  npm has been running for ${seconds} s: ${installedText(folder)}`)
    }, 15_000)
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
