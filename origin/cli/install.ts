import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ArgumentError, readConfig } from '../config.ts'
import { environment, serverFlags } from '../setup/run.mjs'
import { type LocalCommand, UsageError } from './command.ts'

const unitFile = '/etc/systemd/system/platen.service'
const server = fileURLToPath(new URL('../server.ts', import.meta.url))
const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const execute = promisify(execFile)

/** Installs this origin as a systemd service. */
export const install: LocalCommand = {
  local: true,
  usage: 'platen install [--user NAME] [--print] [--unit FILE] [options of webserver]',
  summary: `Installs the service as a systemd unit. Creates the working folder, tries to start as that user, writes ${unitFile} with these options and starts it. --print only shows the unit; --unit writes it elsewhere and starts nothing. Put secrets into config/config.json.`,
  async run(_readConfig, args) {
    const { user, print, file, rest: serviceArgs } = parseInstallArgs(args)
    const { config, warnings } = readOptions(serviceArgs)
    if (warnings.length > 0) throw new UsageError(warnings.join('\n'))
    const unit = unitOf({ user, workdir: config.workdir, args: serviceArgs })
    if (print) {
      process.stdout.write(unit)
      return 0
    }
    if (process.getuid?.() !== 0)
      throw new UsageError(`Only root may write ${file}. Start the command with sudo, or see --print.`)
    const owner = await ownerOf(user)
    await makeFolder(config.workdir, owner)
    await tryStart(owner, { workdir: config.workdir, args: serviceArgs })
    console.log(`Checked: the service starts as ${user}.`)
    await writeFile(file, unit, { mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
      const missing = file === unitFile ? 'there is no systemd here' : 'its folder does not exist'
      const because = error.code === 'ENOENT' ? missing : error.message
      throw new UsageError(`Cannot write ${file}: ${because}. --print shows what would be written.`)
    })
    if (file !== unitFile) {
      console.log(`${file} is written. Start the service with: systemctl enable --now ${file}`)
      return 0
    }
    if (!existsSync('/run/systemd/system')) {
      console.log(`${unitFile} is written. systemd does not run here: it starts the service where it does.`)
      return 0
    }
    for (const systemctlArguments of [
      ['daemon-reload'],
      ['enable', 'platen.service'],
      ['restart', 'platen.service'],
    ]) {
      try {
        execFileSync('systemctl', systemctlArguments, { stdio: 'inherit' })
      } catch {
        throw new UsageError(
          `systemctl ${systemctlArguments.join(' ')} failed. ${unitFile} was written. See journalctl -u platen for the reason.`,
        )
      }
    }
    console.log('The service is running, and starts with the machine. See: systemctl status platen')
    return 0
  },
}

function readOptions(args: readonly string[]) {
  try {
    return readConfig(args, {})
  } catch (error) {
    throw error instanceof ArgumentError ? new UsageError(error.message) : error
  }
}

/** Separates the options of this command from those that are passed to the service. */
function parseInstallArgs(args: readonly string[]) {
  const serviceArgs: string[] = []
  let user = process.env['SUDO_USER'] ?? userInfo().username
  let print = false
  let file = unitFile
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]
    if (arg === undefined) break
    if (arg === '--print') print = true
    else if (arg === '--user') user = args[++index] ?? ''
    else if (arg === '--unit') file = resolve(args[++index] ?? '')
    else serviceArgs.push(arg)
  }
  if (!/^[a-z_][a-z0-9_.-]{0,31}$/i.test(user)) throw new UsageError('--user takes the name of a user.')
  return { user, print, file, rest: serviceArgs }
}

interface Owner {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Looks up a user. Throws UsageError when there is none. */
async function ownerOf(name: string): Promise<Owner> {
  const numbers = ['-u', '-g'].map(async (flag) => Number((await execute('id', [flag, name])).stdout))
  const [uid, gid] = await Promise.all(numbers).catch(() => {
    throw new UsageError(`There is no user ${name}. Create one with: useradd --system ${name}`)
  })
  return { name, uid: uid!, gid: gid! }
}

/**
 * Creates the folder of the service for its user if it does not exist. Throws UsageError if the user cannot
 * write to it.
 */
async function makeFolder(workdir: string, owner: Owner): Promise<void> {
  if (!existsSync(workdir)) {
    await mkdir(workdir, { recursive: true, mode: 0o755 })
    await chown(workdir, owner.uid, owner.gid)
  }
  if (!(await mayAccess(owner, '-w', workdir)))
    throw new UsageError(
      `${workdir} cannot be written by ${owner.name}, or a folder above it cannot be entered. Choose another folder, or run: chown ${owner.name} '${workdir}'`,
    )
}

/**
 * Whether a user may read (-r), write (-w) or execute (-x) a path, as test(1) reports when it runs as that
 * user.
 */
async function mayAccess({ uid, gid }: Owner, test: string, path: string): Promise<boolean> {
  return execute('/usr/bin/test', [test, path], { uid, gid, cwd: '/' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error
      return false
    },
  )
}

/**
 * Runs the command of the unit as its user on a free port, until it listens. Throws UsageError with the end
 * of its output when it does not start.
 */
async function tryStart(
  owner: Owner,
  { workdir, args }: { readonly workdir: string; readonly args: readonly string[] },
): Promise<void> {
  for (const path of [process.execPath, server])
    if (!(await mayAccess(owner, '-r', path)))
      throw new UsageError(
        `${path} may not be read by ${owner.name}, as below a home folder. Copy the code to where it may, and install from there: cp -a '${checkout}' /opt/platen && cd /opt/platen && npx --no platen install …`,
      )
  const { uid, gid } = owner
  const child = spawn(
    process.execPath,
    [...serverFlags, server, ...args, '--workdir', workdir, '--port', '0', '--prewarm', 'false'],
    {
      uid,
      gid,
      cwd: workdir,
      env: { PATH: unitPath },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  let listens = false
  child.stdout.on('data', (chunk: Buffer) => {
    if (/^platen listens on /m.test((output += chunk)) && !listens) listens = child.kill('SIGTERM')
  })
  child.stderr.on('data', (chunk: Buffer) => (output += chunk))
  await new Promise<void>((ended) => {
    child.once('error', (error) => {
      output += error.message
      ended()
    })
    child.once('close', () => ended())
  })
  if (!listens)
    throw new UsageError(`The service does not start as ${owner.name}:\n${output.trim().slice(-1000)}`)
}

const unitPath = `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

/**
 * Longer than the server's own limit for stopping (300 s), so that systemd does not kill running renders
 * before that.
 */
const stopSeconds = 310

/** The text of the systemd unit. */
function unitOf({
  user,
  workdir,
  args,
}: {
  readonly user: string
  readonly workdir: string
  readonly args: readonly string[]
}): string {
  const { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_ } = environment()
  const unitEnvironment = { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, PATH: unitPath }
  // The last --workdir takes precedence. This one is absolute, so that it does not depend on where systemd starts the
  // service.
  const commandWords = [process.execPath, ...serverFlags, server, ...args, '--workdir', workdir]
  const command = commandWords.map((word) => quoted(word)).join(' ')
  return `[Unit]
Description=platen, documents from templates and data
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=${user}
WorkingDirectory=${workdir.replaceAll('%', '%%')}
${Object.entries(unitEnvironment)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`, false)}`)
  .join('\n')}
ExecStart=${command}
Restart=on-failure
RestartSec=2
KillMode=mixed
TimeoutStopSec=${stopSeconds}
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
`
}

/**
 * Quotes a word for a systemd unit. Specifiers (%) are escaped, and with `variables` also the references ($)
 * that systemd expands in command lines.
 */
function quoted(word: string, variables = true): string {
  const escaped = word.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%')
  return `"${variables ? escaped.replaceAll('$', '$$$$') : escaped}"`
}
