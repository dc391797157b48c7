import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Confine, Confined, ConfineOptions, Isolation } from '../../shared/plugin/processes.ts'
import { type Trial, tryConfinement } from './trial.ts'
import { createUsers } from './users.ts'

/** Linux's own user that owns nothing, and that every system has a name for. */
const nobody = 65_534
const ofNames = ['/etc/passwd', '/etc/nsswitch.conf', '/etc/dbus-1']

const launcher = fileURLToPath(new URL('confine.pl', import.meta.url))

/** What programs need of the system. The rest of the file system does not exist for them. */
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
/** /proc/self takes the maps of a user namespace, /sys tells how many processors there are. */
const ofProcesses = { write: ['/proc', '/dev/shm'], read: ['/sys/devices/system/cpu'] }

/** `required`: a program that cannot be isolated does not start. `best`: it starts with what there is, never as root. */
export type IsolationWanted = 'required' | 'best'

export interface Confinement {
  readonly confine: Confine
  /** What a trial has shown, or why no program can be started; undefined while that is not known. */
  state(): Promise<Trial | undefined>
  /** What `state` last gave. */
  known(): Trial | undefined
  readonly wanted: IsolationWanted
}

/**
 * Programs are started by `confine.pl`, which raises all fences that the system allows and replaces itself by the
 * program, so the pid is the program's. What was shown to be there by a trial, it is told to insist on: a system that
 * answers otherwise later starts nothing rather than something weaker.
 */
export function createConfinement(wanted: IsolationWanted, launch = launchPrefix()): Confinement {
  const users = createUsers()
  let asked: Promise<Trial | undefined> | undefined
  let last: Trial | undefined

  async function state(): Promise<Trial | undefined> {
    asked ??= launch === undefined ? Promise.resolve(withoutLauncher()) : tryConfinement(start)
    last = await asked
    // A trial that ran out of time is no answer. The next who asks tries again.
    if (last === undefined) asked = undefined
    return last
  }

  const confine: Confine = async (command, args, options = {}) => {
    const trial = await state()
    if (trial === undefined) throw refusal('a trial of that came to no end')
    if ('refused' in trial) throw refusal(trial.refused)
    const lacking = lacks(trial.isolation)
    if (wanted === 'required' && lacking !== undefined) throw refusal(lacking)
    if (launch === undefined)
      return { command, args, isolation: trial.isolation, user: ourselves(), release: () => undefined }
    const { network, files } = trial.isolation
    const needs = [...(network ? ['network'] : []), ...(files ? ['files'] : [])]
    return { ...start(command, args, options, needs), isolation: trial.isolation }
  }

  /** Throws when no user is left. */
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
    const user = ourselves() !== 0 ? undefined : named ? nobody : users.take()
    const { addressSpaceBytes, cpuSeconds, fileBytes } = limits
    const of = (name: string, values: readonly (string | number | undefined)[]) =>
      values.flatMap((value) => (value === undefined ? [] : [`${name}=${value}`]))
    const whole = (value: number | undefined) => (value === undefined ? undefined : Math.ceil(value))
    const words = [
      ...of('arch', [process.arch]),
      ...of('parent', [process.pid]),
      ...of('uid', [user]),
      ...of('own', own),
      ...of('write', [...own, ...write, ...devices, ...(processes ? ofProcesses.write : [])]),
      ...of('read', [
        ...readable,
        ...pathFolders(),
        ...(named ? ofNames : []),
        ...read,
        ...(processes ? ofProcesses.read : []),
      ]),
      ...of('sockets', named ? [...sockets, '/tmp'] : sockets),
      ...of('as', [whole(addressSpaceBytes)]),
      // The first limit of time sends a signal that tells what it was; the second is SIGKILL.
      ...of('cpu', [
        cpuSeconds === undefined ? undefined : `${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 5}`,
      ]),
      ...of('fsize', [whole(fileBytes)]),
      ...of('need', needs),
    ]
    const [first = '', ...rest] = launch ?? []
    return {
      command: first,
      args: [...rest, ...words, '--', command, ...args],
      user: user ?? ourselves(),
      release: () => {
        if (user !== undefined && user !== nobody) users.giveBack(user)
      },
    }
  }

  return { confine, state, known: () => last, wanted }
}

/** The fences that are missing from a full isolation, as a sentence without its full stop. */
export function lacks({ network, files }: Isolation): string | undefined {
  if (network && files) return undefined
  const without = [...(network ? [] : ['reach the network']), ...(files ? [] : ['read files of others'])]
  return `here it could ${without.join(' and ')}`
}

/** Where programs are looked for. */
function pathFolders(): readonly string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && folder !== '/')
}

function ourselves(): number {
  return process.getuid?.() ?? -1
}

function refusal(because: string): AppError {
  return new AppError('convert.not-isolated', { because })
}

/** Without it nothing can be taken away, so what root starts would be root. */
function withoutLauncher(): Trial {
  if (ourselves() === 0) return { refused: 'it would run as root, for perl is not installed' }
  return { isolation: { user: 'service', network: false, files: false, sandbox: true } }
}

function launchPrefix(): readonly string[] | undefined {
  if (process.platform !== 'linux') return undefined
  for (const folder of (process.env['PATH'] ?? '/usr/bin:/bin').split(delimiter)) {
    const perl = join(folder, 'perl')
    try {
      accessSync(perl, constants.X_OK)
      return [perl, launcher]
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}
