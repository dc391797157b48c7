/** Finds LibreOffice and a Python with UNO on this machine. */
import { execFile } from 'node:child_process'
import { access, constants, readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const defaultProbeTimeoutMs = 30_000

export interface Installation {
  readonly program: string // path of soffice.bin, or of soffice where there is no other
  readonly buildId: string | undefined // '40(Build:2)'; absent: unknown
  readonly python: string
  readonly pythonEnvironment: Readonly<Record<string, string>>
}

export type OfficeSearch =
  | { readonly kind: 'uno'; readonly installation: Installation }
  /**
   * An office without a Python that can control it: only cold conversions. `timedOut`: a Python did not answer in time,
   * so the next search may find it.
   */
  | { readonly kind: 'cold'; readonly program: string; readonly because: string; readonly timedOut: boolean }
  | { readonly kind: 'none'; readonly because: string }

export interface InstallationOptions {
  readonly soffice?: string // path; absent: searched for
  readonly python?: string
  readonly probeTimeoutMs?: number
}

const officeFolders = [
  '/usr/lib/libreoffice/program',
  '/usr/lib64/libreoffice/program',
  '/opt/libreoffice/program',
  '/Applications/LibreOffice.app/Contents/MacOS',
]

export async function findInstallation(options: InstallationOptions): Promise<OfficeSearch> {
  const program = await findOffice(options.soffice)
  if (program === undefined) {
    const because =
      options.soffice === undefined
        ? 'LibreOffice is not installed'
        : 'LibreOffice is not at the configured path'
    return { kind: 'none', because }
  }
  const folder = dirname(program)
  const environments: readonly Readonly<Record<string, string>>[] = [
    {},
    { PYTHONPATH: folder, URE_BOOTSTRAP: bootstrap(folder) },
  ]
  const pythons =
    options.python === undefined ? ['/usr/bin/python3', join(folder, 'python'), 'python3'] : [options.python]
  const problems = new Set<string>()
  const because = () => `no Python with UNO (python3-uno): ${[...problems].join('; ')}`
  const timeoutMs = options.probeTimeoutMs ?? defaultProbeTimeoutMs
  for (const python of pythons) {
    for (const pythonEnvironment of environments) {
      const problem = await unoProblem(python, pythonEnvironment, timeoutMs)
      if (problem === undefined)
        return {
          kind: 'uno',
          installation: { program, buildId: await buildIdOf(program), python, pythonEnvironment },
        }
      problems.add(problem.because)
      // Other candidates would take as long, and a job is waiting.
      if (problem.timedOut) return { kind: 'cold', program, because: because(), timedOut: true }
    }
  }
  return { kind: 'cold', program, because: because(), timedOut: false }
}

async function findOffice(configured: string | undefined): Promise<string | undefined> {
  const starts =
    configured === undefined
      ? [
          ...(process.env['PATH'] ?? '')
            .split(delimiter)
            .flatMap((folder) => [join(folder, 'soffice'), join(folder, 'libreoffice')]),
          ...officeFolders.map((folder) => join(folder, 'soffice')),
        ]
      : [configured]
  for (const start of starts) {
    if (!(await executable(start))) continue
    const real = await realpath(start)
    // Started directly, because the script and the splash program before it would hide the process.
    const binary = join(dirname(real), 'soffice.bin')
    if (await executable(binary)) return binary
    return real
  }
  return undefined
}

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

interface ProbeFailure {
  readonly because: string
  readonly timedOut: boolean
}

/** Undefined when this Python can drive the office. */
async function unoProblem(
  python: string,
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<ProbeFailure | undefined> {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', ...environment }
  return run(python, [...pythonFlags(environment), '-c', 'import uno, unohelper'], {
    env,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  }).then(
    () => undefined,
    ({ code, killed }: { code?: string | number; killed?: boolean }) => {
      if (killed === true)
        return { because: `${python} did not answer within ${timeoutMs / 1000} s`, timedOut: true }
      const because = code === 'ENOENT' ? `${python} is not installed` : `${python} has no UNO module`
      return { because, timedOut: false }
    },
  )
}

/** An isolated Python, which runs the bridge when no PYTHONPATH is needed, ignores that variable. */
export function pythonFlags(environment: Readonly<Record<string, string>>): readonly string[] {
  return 'PYTHONPATH' in environment ? ['-B'] : ['-I', '-B']
}

function bootstrap(folder: string): string {
  return `vnd.sun.star.pathname:${join(folder, 'fundamentalrc')}`
}

/** The first start on a profile of another build needs a restart; a profile that names the build does not. */
export async function buildIdOf(program: string): Promise<string | undefined> {
  const text = await readFile(join(dirname(program), 'versionrc'), 'utf8').catch(() => '')
  return /^buildid=(.+)$/m.exec(text)?.[1]?.trim()
}
