import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../config.ts'
import { environment } from '../setup/run.mjs'
import { type LocalCommand, UsageError } from './command.ts'

const unitFile = '/etc/systemd/system/platen.service'
const server = fileURLToPath(new URL('../server.ts', import.meta.url))

/** Makes a service of systemd of this origin. */
export const install: LocalCommand = {
  local: true,
  usage: 'platen install [--user NAME] [--print] [options of webserver]',
  says: `Writes ${unitFile} and starts it, with these options; --print only shows it. Secrets belong into config/config.json.`,
  async run(_readConfig, args) {
    const { user, print, rest } = split(args)
    const { config, warnings } = readConfig(rest, {})
    if (warnings.length > 0) throw new UsageError(warnings.join('\n'))
    const unit = unitOf({ user, workdir: config.workdir, args: rest })
    if (print) {
      process.stdout.write(unit)
      return 0
    }
    await writeFile(unitFile, unit, { mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
      const because = error.code === 'ENOENT' ? 'there is no systemd here' : 'only root may do that'
      throw new UsageError(`Cannot write ${unitFile}: ${because}. --print shows what would stand there.`)
    })
    if (!existsSync('/run/systemd/system')) {
      console.log(`${unitFile} is written. systemd does not run here: it starts the service where it does.`)
      return 0
    }
    for (const step of [['daemon-reload'], ['enable', '--now', 'platen.service']])
      execFileSync('systemctl', step, { stdio: 'inherit' })
    console.log('The service runs, and starts with the machine. See: systemctl status platen')
    return 0
  },
}

function split(args: readonly string[]) {
  const rest: string[] = []
  let user = process.env['SUDO_USER'] ?? userInfo().username
  let print = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (arg === '--print') print = true
    else if (arg === '--user') user = args[++at] ?? ''
    else rest.push(arg)
  }
  if (!/^[a-z_][a-z0-9_.-]{0,31}$/i.test(user)) throw new UsageError('--user takes the name of a user.')
  return { user, print, rest }
}

/** What the stop takes at most, and some: renders that run may end. */
const stopSeconds = 310

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
  const PATH = `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`
  const set = { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, PATH }
  // What is given last counts: a folder as it was meant here, wherever the service is started.
  const words = [process.execPath, server, ...args, '--workdir', workdir]
  const command = words.map((word) => quoted(word)).join(' ')
  return `[Unit]
Description=platen, documents from templates and data
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=${user}
WorkingDirectory=${workdir.replaceAll('%', '%%')}
${Object.entries(set)
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

/** As systemd reads words: in quotes, with its own specifiers and variables as they stand. */
function quoted(word: string, variables = true): string {
  const escaped = word.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%')
  return `"${variables ? escaped.replaceAll('$', '$$$$') : escaped}"`
}
