import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Confine, Confined, ConfineOptions, Isolation } from '../../shared/plugin/processes.ts'
import { type Trial, tryConfinement } from './trial.ts'
import { createUsers } from './users.ts'

/** The overflow user ID of Linux. It owns no files, and every distribution has a name for it. */
const unprivilegedUser = 65_534
/** Files that a program with `named` reads to look up its user and to start a message bus. */
const userNameFiles = ['/etc/passwd', '/etc/nsswitch.conf', '/etc/dbus-1']

const launcher = fileURLToPath(new URL('confine.pl', import.meta.url))

/**
 * The paths of the system that programs may read. They cannot open anything else unless an option allows it.
 */
const readable = [
  '/usr',
  '/bin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/libreoffice',
  '/etc/machine-id',
  '/var/cache/fontconfig',
  '/var/lib/libreoffice',
  '/var/spool/libreoffice',
  '/var/lib/dbus/machine-id',
]
const devices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']
/**
 * Paths that a program that manages child processes needs in addition: it writes the ID maps of a user namespace to
 * /proc/self and reads the number of processors from /sys.
 */
const childProcessPaths = { write: ['/proc', '/dev/shm'], read: ['/sys/devices/system/cpu'] }

/**
 * With `required` a program that cannot be isolated does not start. With `best` it starts with the isolation
 * that the system offers, but never as root.
 */
export type IsolationPolicy = 'required' | 'best'

export interface Confinement {
  readonly confine: Confine
  /** The result of a trial run, which starts on the first call. Undefined when the trial timed out. */
  state(): Promise<Trial | undefined>
  /** The result that `state` last resolved to. */
  lastResult(): Trial | undefined
  readonly policy: IsolationPolicy
}

/**
 * Creates the command lines that start programs in a sandbox. They run `confine.pl`, which applies every
 * restriction that the system supports and then replaces itself with the program, so that the process ID is
 * the program's. The restrictions that worked in the trial run are passed as `need`: if one of them fails
 * later, the program does not start. `launch` is the command line of `confine.pl`; undefined where it cannot
 * run.
 */
export function createConfinement(policy: IsolationPolicy, launch = launchPrefix()): Confinement {
  const users = createUsers()
  /** The running or finished trial, shared by all callers. Cleared when it timed out. */
  let running: Promise<Trial | undefined> | undefined
  let lastTrial: Trial | undefined

  async function state(): Promise<Trial | undefined> {
    running ??= launch === undefined ? Promise.resolve(withoutLauncher()) : tryConfinement(start)
    lastTrial = await running
    // A trial that timed out has no result, so the next call starts another one.
    if (lastTrial === undefined) running = undefined
    return lastTrial
  }

  const confine: Confine = async (command, args, options = {}) => {
    const trial = await state()
    if (trial === undefined) throw refusal('a trial of the isolation did not end')
    if ('refused' in trial) throw refusal(trial.refused)
    const lacking = lacks(trial.isolation)
    if (policy === 'required' && lacking !== undefined) throw refusal(lacking)
    if (launch === undefined)
      return { command, args, isolation: trial.isolation, user: serviceUser(), release: () => undefined }
    const { network, files } = trial.isolation
    const needs = [...(network ? ['network'] : []), ...(files ? ['files'] : [])]
    return { ...start(command, args, options, needs), isolation: trial.isolation }
  }

  /** Throws when all user IDs that are reserved for programs are in use. */
  function start(
    command: string,
    args: readonly string[],
    {
      limits = {},
      own = [],
      read = [],
      write = [],
      sockets = [],
      named = false,
      processes = false,
    }: ConfineOptions,
    needs: readonly string[] = [],
  ): Omit<Confined, 'isolation'> {
    const user = serviceUser() !== 0 ? undefined : named ? unprivilegedUser : users.take()
    const { addressSpaceBytes, cpuSeconds, fileBytes } = limits
    const parameters = (name: string, values: readonly (string | number | undefined)[]) =>
      values.flatMap((value) => (value === undefined ? [] : [`${name}=${value}`]))
    const roundedUp = (value: number | undefined) => (value === undefined ? undefined : Math.ceil(value))
    const settings = [
      ...parameters('arch', [process.arch]),
      ...parameters('parent', [process.pid]),
      ...parameters('uid', [user]),
      ...parameters('own', own),
      ...parameters('write', [...own, ...write, ...devices, ...(processes ? childProcessPaths.write : [])]),
      ...parameters('read', [
        ...readable,
        ...pathFolders(),
        ...(named ? userNameFiles : []),
        ...read,
        ...(processes ? childProcessPaths.read : []),
      ]),
      ...parameters('sockets', named ? [...sockets, '/tmp'] : sockets),
      ...parameters('as', [roundedUp(addressSpaceBytes)]),
      // The soft limit sends SIGXCPU, which is recognizable as a timeout; the hard limit sends SIGKILL.
      ...parameters('cpu', [
        cpuSeconds === undefined ? undefined : `${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 5}`,
      ]),
      ...parameters('fsize', [roundedUp(fileBytes)]),
      ...parameters('need', needs),
    ]
    const [first = '', ...launchArguments] = launch ?? []
    return {
      command: first,
      args: [...launchArguments, ...settings, '--', command, ...args],
      user: user ?? serviceUser(),
      release: () => {
        if (user !== undefined && user !== unprivilegedUser) users.giveBack(user)
      },
    }
  }

  return { confine, state, lastResult: () => lastTrial, policy }
}

/**
 * Describes what a program could still do with this isolation, as a sentence without its full stop. Undefined when the
 * isolation is complete.
 */
function lacks({ network, files }: Isolation): string | undefined {
  if (network && files) return undefined
  const without = [...(network ? [] : ['reach the network']), ...(files ? [] : ['read files of others'])]
  return `here it could ${without.join(' and ')}`
}

/** The absolute folders of PATH, in which programs may be installed. */
function pathFolders(): readonly string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && folder !== '/')
}

/** The user ID of the service, or -1 where there are none. */
function serviceUser(): number {
  return process.getuid?.() ?? -1
}

function refusal(because: string): AppError {
  return new AppError('convert.not-isolated', { because })
}

/** Without `confine.pl` no rights can be dropped, so a program would run as root if the service does. */
function withoutLauncher(): Trial {
  if (serviceUser() === 0) return { refused: 'it would run as root, because perl is not installed' }
  return { isolation: { user: 'service', network: false, files: false, sandbox: true } }
}

/**
 * The command line that runs `confine.pl`. Undefined on systems other than Linux and where perl is not
 * installed.
 */
function launchPrefix(): readonly string[] | undefined {
  const perl = perlPath()
  return perl === undefined ? undefined : [perl, launcher]
}

/** The path of perl. Undefined on systems other than Linux and where it is not installed. */
export function perlPath(): string | undefined {
  if (process.platform !== 'linux') return undefined
  for (const folder of (process.env['PATH'] ?? '/usr/bin:/bin').split(delimiter)) {
    const perl = join(folder, 'perl')
    try {
      accessSync(perl, constants.X_OK)
      return perl
    } catch {
      // The program is not in this folder.
    }
  }
  return undefined
}
