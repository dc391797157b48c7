import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Confine, Confined, ProgramLimits } from '../../shared/plugin/processes.ts'

const run = promisify(execFile)
/** Linux's nobody: owns nothing. */
const nobody = 65_534
const probeTimeoutMs = 5_000

/** The system's own tools, each a call around the next, that take something away from the program behind them. */
interface Tools {
  /** A network namespace without interfaces. */
  readonly network: readonly string[]
  /** Another user where ours is root, and death with the parent. */
  readonly privileges: readonly string[]
  readonly limits: boolean
  readonly owner: Confined['owner']
}

let found: Promise<Tools> | undefined

/**
 * Starts programs through `unshare`, `setpriv` and `prlimit` (util-linux, on every Linux): no network, no privileges,
 * killed when we die, however that happens. Each tool replaces itself by the next, so the pid is the program's. What
 * the system does not have or allow is left away and told in `isolated`.
 */
export const confine: Confine = async (command, args, limits = {}) => {
  const tools = await (found ??= findTools())
  const [first = command, ...rest] = [
    ...tools.network,
    ...tools.privileges,
    ...(tools.limits ? limitArguments(limits) : []),
    command,
    ...args,
  ]
  return {
    command: first,
    args: rest,
    isolated: tools.network.length > 0,
    ...(tools.owner !== undefined && { owner: tools.owner }),
  }
}

function limitArguments({ addressSpaceBytes, cpuSeconds, fileBytes }: ProgramLimits): readonly string[] {
  const whole = (value: number | undefined) => value && Math.ceil(value)
  // The first limit of time sends a signal that tells what it was; the second is SIGKILL.
  const cpu = cpuSeconds === undefined ? undefined : `${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 5}`
  const given = { as: whole(addressSpaceBytes), cpu, fsize: whole(fileBytes) }
  const args = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
  return args.length === 0 ? [] : ['prlimit', ...args, '--']
}

async function findTools(): Promise<Tools> {
  const root = process.getuid?.() === 0
  const network = root
    ? ['unshare', '--net', '--']
    : ['unshare', '--user', '--map-current-user', '--net', '--']
  const death = ['setpriv', '--pdeathsig', 'KILL']
  const privileges = root
    ? [...death, `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--']
    : [...death, '--']
  const [hasNetwork, hasPrivileges, limits] = await Promise.all([
    works(network),
    works(privileges),
    works(['prlimit', '--core=0', '--']),
  ])
  return {
    network: hasNetwork ? network : [],
    privileges: hasPrivileges ? privileges : [],
    limits,
    owner: root && hasPrivileges ? { uid: nobody, gid: nobody } : undefined,
  }
}

async function works([command = '', ...args]: readonly string[]): Promise<boolean> {
  return run(command, [...args, 'true'], { timeout: probeTimeoutMs }).then(
    () => true,
    () => false,
  )
}
