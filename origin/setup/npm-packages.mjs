import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

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
  const npm = (...args) =>
    spawnSync('npm', [...args, ...quiet], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
  if (npm('ci').status === 0) return linkNode(folder)
  const done = npm('install', '--no-save')
  if (done.status === 0) return linkNode(folder)
  const said = (done.stderr ?? String(done.error)).trim().split('\n')
  say(`npm could not install them:\n${said.slice(-5).join('\n')}`)
  return false
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
