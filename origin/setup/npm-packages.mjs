import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Whether node_modules holds what the lock file asks for. npm notes what it installed in node_modules/.package-lock.json;
 * optional packages may be absent there (they are for other platforms).
 */
export function inStep(folder) {
  const installed = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages
  const wanted = readJson(join(folder, 'package-lock.json'))?.packages
  if (installed === undefined || wanted === undefined) return false
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    return found === undefined ? optional === true : found.version === version
  })
}

/**
 * Installs the versions of the lock file. Returns whether that worked.
 *
 * `npm ci` wants every platform's optional package in the lock file; one that was written where the registry lacked
 * some of them is refused. `npm install --no-save` takes the same versions and leaves those out.
 */
export function installNpmPackages(folder, say) {
  if (inStep(folder)) return linkNode(folder)
  say(`Installing npm packages${folder.endsWith('bench/') ? ' of the benchmark' : ''} ...`)
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error']
  const env = environmentOfNpm(folder, say)
  const npm = (...args) => runNpm([...args, ...quiet], folder, env)
  if (npm('ci').status === 0) return linkNode(folder)
  const done = npm('install', '--no-save')
  if (done.status === 0) return linkNode(folder)
  const said = (done.stderr ?? String(done.error)).trim().split('\n')
  say(`npm could not install them:\n${said.slice(-5).join('\n')}`)
  return false
}

/**
 * npm leaves out optional packages that do not take the Node it runs on, and the native parts of the tools are such
 * packages. So under an old Node the project's own comes first, and npm then runs on that.
 */
function environmentOfNpm(folder, say) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major >= 22 || (major === 20 && minor >= 19)) return process.env
  const name = `node-${process.platform}-${process.arch}`
  const version = readJson(join(root, 'package.json'))?.optionalDependencies?.[name]
  if (version === undefined) return process.env
  const place = join(root, '.cache', 'node-for-npm')
  const programs = join(place, 'node_modules', name, 'bin')
  if (!existsSync(programs)) {
    const args = ['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error']
    const done = runNpm([...args, '--prefix', place, `${name}@${version}`], folder, process.env)
    if (done.status !== 0)
      say(`Node ${version} could not be installed for npm; going on with ${process.version}.`)
  }
  return existsSync(programs)
    ? { ...process.env, PATH: `${programs}:${process.env.PATH ?? ''}` }
    : process.env
}

function runNpm(args, folder, env) {
  return spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8', shell: process.platform === 'win32' })
}

/** npm 9 does not link the program of a platform package when another platform's package has the same one. */
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
