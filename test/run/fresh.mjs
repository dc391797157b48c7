/**
 * `npm run fresh`: the two commands of the README on a machine that has nothing but Debian's smallest system, Node, npm,
 * Git and curl; once where namespaces can be made and once where they cannot, as in a container.
 *
 *   npm run fresh [-- [start] [test] [--namespaces with|without] [-- filters of npm test]]
 *   npm run fresh -- office-alt|image|image-office-alt
 *
 * `office-alt` starts with what engine O needs. `image` takes the steps of the Dockerfile in roots of the Debian that it
 * names and renders by each engine of the result; `image-office-alt` does the same for the image with engine O. The commit that is checked out is cloned into a copy of a root that debootstrap makes. The root, downloaded packages
 * and the copies lie below `.cache/fresh`; a copy is removed when its run ends. Skipped where this user may not change
 * the root of a process.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { applyIgnore, makeImage, quoted } from './fresh/image.mjs'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const cache = `${checkout}.cache/fresh`
const packages = ['nodejs', 'npm', 'git', 'curl', 'ca-certificates']

const { positionals, values } = parseArgs({
  args: process.argv.slice(2).filter((_, at, all) => at < (all.indexOf('--') + 1 || Infinity)),
  allowPositionals: true,
  options: { namespaces: { type: 'string' } },
})
const dashes = process.argv.indexOf('--', 2)
const filters = dashes < 0 ? [] : process.argv.slice(dashes + 1)
const images = ['image', 'image-office-alt']
const wrong = positionals.find((part) => !['start', 'test', 'office-alt', ...images].includes(part))
if (wrong !== undefined || !['with', 'without', undefined].includes(values.namespaces)) {
  console.error(
    'npm run fresh [-- [start] [test] [office-alt] [image] [image-office-alt] [--namespaces with|without] [-- filters of npm test]]',
  )
  process.exit(2)
}
const parts = positionals.length === 0 ? ['start', 'test'] : positionals
const modes = values.namespaces === undefined ? ['with', 'without'] : [values.namespaces]

const impossible = whyImpossible()
if (impossible !== undefined) {
  console.log(`Skipped: ${impossible}`)
  process.exit(0)
}
mkdirSync(cache, { recursive: true })
// What a run that was killed could not remove.
for (const name of readdirSync(cache)) {
  const [, pid] = /^run-(\d+)-/.exec(name) ?? []
  if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(`${cache}/${name}`, { recursive: true })
}
const commit = read('git', ['-C', checkout, 'rev-parse', 'HEAD'])
if (read('git', ['-C', checkout, 'status', '--porcelain', '--untracked-files=no']) !== '')
  console.log('Changes that are not committed take no part: a clone has only what is.')

for (const part of parts.filter((one) => images.includes(one))) await proveImage(part === 'image-office-alt')
const onMachine = parts.filter((one) => !images.includes(one))
if (onMachine.length > 0) {
  const base = freshRoot(codenameHere(), packages)
  const failed = []
  for (const mode of modes) if (!(await run(base, mode))) failed.push(mode)
  if (failed.length > 0) fail(`Failed ${failed.join(' and ')} namespaces.`)
  console.log(`\n${onMachine.join(' and ')} work on a fresh machine, ${modes.join(' and ')} namespaces.`)
}

function whyImpossible() {
  if (process.platform !== 'linux') return 'a root for processes of Debian needs Linux.'
  if (process.getuid() !== 0) return 'only root may change the root of a process. Run it as root.'
  const tried = spawnSync('unshare', ['--mount', '--pid', '--fork', 'chroot', '/', 'true'], {
    encoding: 'utf8',
  })
  if (tried.status !== 0)
    return `mounts and roots of processes cannot be changed here: ${(tried.stderr ?? String(tried.error)).trim()}.`
  if (spawnSync('debootstrap', ['--version']).error !== undefined)
    return 'debootstrap is missing. Install it with: apt-get install debootstrap'
  return undefined
}

function codenameHere() {
  return /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
}

/** A root with Debian's smallest system and some packages; made once for each list of sources. */
function freshRoot(codename, added) {
  const { sources, mirror, settings } = sourcesOf(codename)
  const key = createHash('sha256')
    .update(JSON.stringify([codename, sources, added]))
    .digest('hex')
  const root = `${cache}/root-${codename}-${key.slice(0, 8)}`
  if (existsSync(root)) return root
  console.log(`Making a root of ${codename} from ${mirror} ...`)
  const making = `${root}.part`
  rmSync(making, { recursive: true, force: true })
  const proxy = /^Acquire::http::Proxy "(.*)";$/m.exec(settings)?.[1]
  must('debootstrap', ['--variant=minbase', codename, making, mirror], {
    env: { ...process.env, ...(proxy && { http_proxy: proxy }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  writeFileSync(`${making}/etc/apt/sources.list`, `${sources.join('\n')}\n`)
  writeFileSync(`${making}/etc/apt/apt.conf.d/99this-machine`, settings)
  // Nothing starts services here, as in a container.
  writeFileSync(`${making}/usr/sbin/policy-rc.d`, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  // debootstrap itself does not follow packages that stand for others, which those of npm need.
  const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${added.join(' ')}`
  // The authorities that were added to those of Debian here, as a company's proxy wants them.
  const authorities = '/usr/local/share/ca-certificates'
  if (existsSync(authorities)) cpSync(authorities, `${making}${authorities}`, { recursive: true })
  const script = added.length === 0 ? 'true' : `${install} && update-ca-certificates`
  const done = inside(making, 'with', ['sh', '-c', script], { stdio: 'pipe', encoding: 'utf8' })
  if (done.status !== 0)
    fail(
      `The packages of the fresh machine could not be installed:\n${done.stdout.slice(-2000)}${done.stderr}`,
    )
  renameSync(making, root)
  return root
}

/** Where this machine has its packages from, without what is not Debian's, and the same places for another Debian. */
function sourcesOf(codename) {
  const here = codenameHere()
  const format = ['indextargets', '--format', '$(CREATED_BY) $(SITE) $(RELEASE) $(COMPONENT)']
  const lines = read('apt-get', format)
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([kind, , release]) => kind === 'Packages' && release?.split('-')[0] === here)
  const mirror = lines.find(([, , release]) => release === here)?.[1]
  if (here === undefined || mirror === undefined) fail('apt has no sources of the Debian that runs here.')
  const settings = read('apt-config', ['dump', 'Acquire'])
    .split('\n')
    .filter((line) => /^Acquire::(https?::Proxy|Check-)/i.test(line))
  return {
    mirror,
    sources: lines.map(
      ([, site, release, component]) => `deb ${site} ${release.replace(here, codename)} ${component}`,
    ),
    settings: `${settings.join('\n')}\n`,
  }
}

async function run(base, mode) {
  const root = `${cache}/run-${process.pid}-${mode}`
  try {
    must('cp', ['-a', '--reflink=auto', base, root])
    console.log(`\nA fresh machine, ${mode} namespaces: ${root}`)
    const steps = [commit, mode, onMachine.join(), String(await freePort()), ...filters]
    const script = readFileSync(`${checkout}test/run/fresh/inside.sh`, 'utf8')
    return inside(root, mode, ['sh', '-c', script, 'inside.sh', ...steps]).status === 0
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Makes the image of the Dockerfile and renders in it, with the capabilities and the user of a container. */
async function proveImage(hasOfficeAlt) {
  const file = readFileSync(`${checkout}origin/deploy/Dockerfile`, 'utf8')
  const own = `${cache}/run-${process.pid}-image`
  const copies = []
  const copyRoot = (from) => {
    const root = `${own}-${copies.length}`
    must('cp', ['-a', '--reflink=auto', from, root])
    copies.push(root)
    return root
  }
  try {
    const context = `${own}-context`
    copies.push(context)
    must('git', ['clone', '--quiet', '--shared', checkout, context])
    applyIgnore(context, readFileSync(`${checkout}origin/deploy/Dockerfile.dockerignore`, 'utf8'))
    const execute = (root, script) => inside(root, 'without', ['sh', '-eu', '-c', script]).status === 0
    const image = makeImage(file, {
      context,
      given: hasOfficeAlt ? { OFFICE_ALT: 'yes' } : {},
      base: (name) =>
        freshRoot(/^debian:(\w+)-slim$/.exec(name)?.[1] ?? fail(`${name} cannot be made here.`), []),
      copyRoot,
      execute,
      say: (line) => console.log(`-- ${line}`),
    })
    const port = await freePort()
    cpSync(`${checkout}test/run/fresh/image-renders.mjs`, `${image.root}/tmp/image-renders.mjs`)
    const as = `setpriv --reuid=${image.user} --regid=${image.user} --clear-groups --bounding-set=-all`
    const words = (list) => list.map((word) => quoted(word.replace(':4000/', `:${port}/`))).join(' ')
    const script = [
      ...Object.entries({ ...image.env, SERVICE_PORT: port, HOME: '/data' }).map(
        ([name, value]) => `export ${name}=${quoted(value)}`,
      ),
      `cd ${image.workdir}`,
      `${as} ${words(image.command)} & service=$!`,
      `${as} node_modules/.bin/node /tmp/image-renders.mjs ${port} ${hasOfficeAlt ? 'ILCO' : 'ILC'}`,
      `${as} ${words(image.healthcheck)} && echo 'The health check passes.'`,
      'kill -TERM $service; wait $service',
    ]
    if (!execute(image.root, script.join('\n'))) fail('The image does not serve.')
    console.log(`\nEach instruction of the Dockerfile works${hasOfficeAlt ? ', with engine O' : ''}.`)
  } finally {
    for (const folder of copies) rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command in a root. All that it starts ends with it, and with this process. */
function inside(root, mode, command, options = {}) {
  const { env, lent } = network()
  const source = read('git', ['-C', checkout, 'rev-parse', '--path-format=absolute', '--git-common-dir'])
  const own = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private', '--']
  const enter = ['sh', `${checkout}test/run/fresh/enter.sh`, root, mode, cache, source, ...command]
  return spawnSync('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...own, ...enter], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
    env: { ...env, HOME: '/root', PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LENT: lent.join(':') },
  })
}

/** How npm and Node of this machine reach registries: in variables, and in files that they name. */
function network() {
  const names = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl', 'cafile', 'userconfig']
  const npm = JSON.parse(read('npm', ['config', 'list', '--json'], { cwd: '/' }))
  const set = names.filter((name) => npm[name] !== null && npm[name] !== undefined && npm[name] !== '')
  const env = {
    ...Object.fromEntries(set.map((name) => [`npm_config_${name}`, String(npm[name])])),
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /^(NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i.test(name)),
    ),
  }
  const bundle = '/etc/ssl/certs/ca-certificates.crt' // Debian's own, which every root has
  const named = [env.npm_config_userconfig, env.npm_config_cafile, env.NODE_EXTRA_CA_CERTS]
  const lent = ['/etc/resolv.conf', '/etc/hosts', ...named].filter((file) => file && file !== bundle)
  return { env, lent }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function must(program, args, options) {
  const done = spawnSync(program, args, { stdio: 'inherit', ...options })
  if (done.status !== 0) fail(`${program} failed: ${done.error ?? `status ${done.status}`}`)
}

function read(program, args, options) {
  const done = spawnSync(program, args, { encoding: 'utf8', ...options })
  if (done.status !== 0) fail(`${program} failed: ${done.error ?? done.stderr}`)
  return done.stdout.trim()
}

function fail(why) {
  console.error(why)
  process.exit(1)
}
