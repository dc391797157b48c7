/**
 * The way in for every npm script: runs on whatever Node the machine has (18 or newer), installs what is missing and
 * hands over to the project's own Node 24, which comes from npm.
 *
 *   node origin/setup/run.mjs setup|start|dev-edge|bench|faults|fidelity|validity|matrix|cli [arguments]
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { inStep, installNpmPackages } from './npm-packages.mjs'
import { installPackages, missingPackages, packageTable } from './system-packages.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const commands = {
  setup: { groups: ['service', 'test'] },
  start: { groups: ['service'], script: 'origin/server.ts' },
  'dev-edge': { groups: ['service'], script: 'origin/setup/dev-edge.mjs' },
  bench: { groups: ['service', 'test'], script: 'test/bench/run.ts', packages: 'test/bench/' },
  faults: { groups: ['service', 'test'], script: 'test/run/faults.ts' },
  fidelity: { groups: ['service', 'test'], script: 'test/fidelity/run.ts', complete: true },
  validity: { groups: ['service', 'test'], script: 'test/run/validity.ts', complete: true },
  matrix: { groups: ['service', 'test'], script: 'test/matrix/run.ts', complete: true },
  cli: { groups: [], script: 'origin/cli/main.ts', quiet: true },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...args] = process.argv.slice(2)
  const command = commands[name]
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
  // A figure that lacks a program says nothing.
  if (command.complete && missingPackages(command.groups).length > 0) process.exit(1)
  if (command.script === undefined) console.log('Set-up is complete.')
  else handOver([command.script, ...args])
}

/** npm packages first, since without them nothing runs; missing system packages only switch conversions off. */
export async function setUp(groups, extraFolder) {
  const say = (line) => console.error(line)
  if (!(await installNpmPackages(root, say))) return false
  if (extraFolder !== undefined && !(await installNpmPackages(`${root}${extraFolder}`, say))) return false
  if (groups.length > 0) await installPackages(groups, say)
  return true
}

/**
 * Ends before minutes of installing when the service could not listen afterwards. Only what is surely the port is
 * looked at: the service itself reads all of its settings, and says the same later.
 */
async function refuseTakenPort(args) {
  const given = /(?:^| )(?:--port|-p)[ =](\d+)/.exec(args.join(' '))?.[1] ?? process.env.SERVICE_PORT
  const elsewhere = args.some((arg) => /^(--?w(orkdir)?|--?b(ind)?)\b/.test(arg)) || process.env.SERVICE_BIND
  if (elsewhere || process.env.SERVICE_WORKDIR || existsSync('config/config.json')) return
  const port = Number(given ?? 4000)
  const taken = await new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }) => resolve(code === 'EADDRINUSE'))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
  if (!taken) return
  console.error(
    `Port ${port} of 127.0.0.1 is taken by another program. Stop it, or choose another with --port or SERVICE_PORT. Nothing was installed.`,
  )
  process.exit(1)
}

/** Path of the project's Node; the running one where npm has no package for this platform and it is new enough. */
export function projectNode() {
  const local = `${root}node_modules/.bin/node`
  if (existsSync(local)) return local
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(
    `Node 24 is needed; npm has no package of it for ${process.platform} ${process.arch}. Install it by hand.`,
  )
  process.exit(1)
}

/** Runs a script with the project's Node, passes signals on and ends as it ends. */
export function handOver(args) {
  const child = spawn(projectNode(), args, { cwd: process.cwd(), stdio: 'inherit', env: environment() })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
}

/**
 * Programs of npm packages start with `#!/usr/bin/env node`: they must find the project's Node too. Compiled modules
 * are kept between starts, which halves the time to the first answer.
 */
export function environment() {
  return {
    NODE_COMPILE_CACHE: `${root}.cache/node`,
    // Pictures and documents that are done with go back to the system, not into a pool for each thread (glibc).
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...process.env,
    PATH: `${root}node_modules/.bin:${process.env.PATH ?? ''}`,
  }
}
