/**
 * The entry point of every npm script. It runs on the Node of the machine (18 or newer), installs what is
 * missing and then runs the script with the project's own Node 24, which comes from npm.
 *
 *   node origin/setup/run.mjs setup|start|dev-edge|generate|bench|faults|soak|fidelity|validity|matrix|cli [arguments]
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { inStep, installNpmPackages } from './npm-packages.mjs'
import { installPackages, missingPackages, packageTable } from './system-packages.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const allGroups = ['service', 'office-alt', 'test']
/** An argument of `npm start` that also installs what engine O needs. The service itself is not given it. */
const withOfficeAlt = '--with-office-alt'

/**
 * The flags of Node for the process that serves. Under load V8 would let the new space of its main thread grow to 96 MB and keep it,
 * although little in it lives longer than a request. Threads have a limit of their own (`origin/thread-memory.ts`).
 */
export const serverFlags = ['--max-semi-space-size=8'] // MB; the new space has three of these

/**
 * The commands of the npm scripts. `groups`: the groups of system packages to install; `packages`: a folder
 * with npm packages of its own; `flags`: those of Node; `complete`: the command does not run while a system package is missing.
 */
const commands = {
  setup: { groups: allGroups },
  start: { groups: ['service'], script: 'origin/server.ts', flags: serverFlags },
  'dev-edge': { groups: ['service'], script: 'origin/setup/dev-edge.mjs' },
  generate: { groups: [], script: 'test/run/generate.ts' },
  bench: { groups: allGroups, script: 'test/bench/run.ts', packages: 'test/bench/' },
  faults: { groups: allGroups, script: 'test/run/faults.ts' },
  soak: { groups: allGroups, script: 'test/run/soak.ts', complete: true },
  fidelity: { groups: allGroups, script: 'test/fidelity/run.ts', complete: true },
  validity: { groups: allGroups, script: 'test/run/validity.ts', complete: true },
  matrix: { groups: allGroups, script: 'test/matrix/run.ts', complete: true },
  cli: { groups: [], script: 'origin/cli/main.ts', quiet: true },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...given] = process.argv.slice(2)
  const { command, args } = readCommand(name, given)
  if (command === undefined) {
    console.error(`Unknown command "${name}". Known: ${Object.keys(commands).join(', ')}.`)
    process.exit(2)
  }
  if (name === 'setup' && args.includes('--table')) {
    console.log(packageTable())
    process.exit(0)
  }
  const installs = !inStep(root) || missingPackages(command.groups).length > 0
  if (name === 'start' && installs) await refuseTakenPort(args)
  if (!(await setUp(command.groups, command.packages))) process.exit(1)
  // Without one of the programs the results of these commands would be meaningless.
  if (command.complete && missingPackages(command.groups).length > 0) process.exit(1)
  if (command.script === undefined) console.log('Set-up is complete.')
  else handOver([...(command.flags ?? []), command.script, ...args])
}

/** The command of a name, undefined for an unknown one, and the arguments that its script is given. */
export function readCommand(name, given) {
  const args = given.filter((arg) => arg !== withOfficeAlt)
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined
  if (command === undefined || args.length === given.length) return { command, args }
  return { command: { ...command, groups: [...new Set([...command.groups, 'office-alt'])] }, args }
}

/**
 * Installs npm packages, then system packages. Returns false when npm packages are missing, without which
 * nothing runs; missing system packages only make conversions unavailable.
 */
export async function setUp(groups, extraFolder) {
  const say = (line) => console.error(line)
  if (!(await installNpmPackages(root, say))) return false
  if (extraFolder !== undefined && !(await installNpmPackages(`${root}${extraFolder}`, say))) return false
  if (groups.length > 0) await installPackages(groups, say)
  return true
}

/**
 * Exits before an installation of several minutes when the port is in use, so that the service could not
 * listen afterwards. Only unambiguous settings are checked here: the service reads all of them later and then
 * reports the same error.
 */
async function refuseTakenPort(args) {
  const requested = /(?:^| )(?:--port|-p)[ =](\d+)/.exec(args.join(' '))?.[1] ?? process.env.SERVICE_PORT
  const elsewhere = args.some((arg) => /^(--?w(orkdir)?|--?b(ind)?)\b/.test(arg)) || process.env.SERVICE_BIND
  if (elsewhere || process.env.SERVICE_WORKDIR || existsSync('config/config.json')) return
  const port = Number(requested ?? 4000)
  const isTaken = await new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }) => resolve(code === 'EADDRINUSE'))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
  if (!isTaken) return
  console.error(
    `Port ${port} of 127.0.0.1 is taken by another program. Stop it, or choose another with --port or SERVICE_PORT. Nothing was installed.`,
  )
  process.exit(1)
}

/**
 * The path of the project's Node. If npm has none for this platform, the running Node, provided that it is
 * new enough.
 */
export function projectNode() {
  const local = `${root}node_modules/.bin/node`
  if (existsSync(local)) return local
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(
    `Node 24 is needed; npm has no package of it for ${process.platform} ${process.arch}. Install it by hand.`,
  )
  process.exit(1)
}

/** Runs a script with the project's Node, forwards signals and exits with its exit code. */
export function handOver(args) {
  const child = spawn(projectNode(), args, { cwd: process.cwd(), stdio: 'inherit', env: environment() })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
}

/**
 * The environment of the project's programs. Programs of npm packages start with `#!/usr/bin/env node`, so
 * PATH begins with the project's Node. Compiled modules are cached between starts, which halves the time to
 * the first response.
 */
export function environment() {
  return {
    NODE_COMPILE_CACHE: `${root}.cache/node`,
    // Makes glibc return freed memory of pictures and documents to the system, instead of keeping it in a
    // pool per thread.
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...process.env,
    PATH: `${root}node_modules/.bin:${process.env.PATH ?? ''}`,
  }
}
