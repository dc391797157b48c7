import { execFile } from 'node:child_process'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Confined, ConfineOptions, Isolation } from '../../shared/plugin/processes.ts'
import { makeTemporary } from './scratch.ts'

/** How a confined program is isolated, or why none can be started. */
export type Trial = { readonly isolation: Isolation } | { readonly refused: string }

type Start = (
  command: string,
  args: readonly string[],
  options: ConfineOptions,
) => Omit<Confined, 'isolation'>

/**
 * The time limits of successive attempts; a machine under load may be slow. When the last one fails, there is
 * no result and the next call of `Confinement.state` starts again.
 */
const timeoutsMs = [5_000, 20_000, 60_000]

/**
 * The exit status of `confine.pl` when it cannot start a program as required, and its message on standard
 * error.
 */
export const refusalStatus = 125
export const refusalSays = /^confine: (.+)$/m

/**
 * The script of the trial run. Inside the sandbox, and in a child process, it tries what a program under the
 * control of a document might do: it connects to a server of ours, sends a datagram, reads a file that only
 * the service may read and one that every user may read, and creates a user namespace. It prints `name=1` for
 * each success and `name=0` for each failure.
 */
const script = String.raw`
use strict; use Socket;
my ($port, $secret, $public) = @ARGV;
my $child = fork // die;
if ($child) { waitpid $child, 0; exit $? >> 8 }
sub calls { my ($family, $address) = @_;
  socket(my $socket, $family, SOCK_STREAM, 0) or return 0;
  return connect($socket, $address) ? 1 : 0 }
sub sends {
  socket(my $socket, AF_INET, SOCK_DGRAM, 0) or return 0;
  return send($socket, 'x', 0, pack_sockaddr_in($port, inet_aton('127.0.0.1'))) ? 1 : 0 }
sub reads { open my $file, '<', shift or return 0; return defined readline $file ? 1 : 0 }
print "user=$>\n";
print "call=", calls(AF_INET, pack_sockaddr_in($port, inet_aton('127.0.0.1'))), "\n";
print "datagram=", sends(), "\n";
print "secret=", reads($secret), "\n";
print "public=", reads($public), "\n";
my $unshare = $ENV{UNSHARE} + 0;
print "sandbox=", (syscall($unshare, 0x10000000) == 0 ? 1 : 0), "\n";
`

/**
 * Starts the script with `start` and evaluates its output. Undefined when no attempt ended in time or could
 * be started.
 */
export async function tryConfinement(start: Start): Promise<Trial | undefined> {
  for (const timeout of timeoutsMs) {
    const outcome = await tryOnce(start, timeout).catch(() => undefined)
    if (outcome !== undefined) return outcome
  }
  return undefined
}

async function tryOnce(start: Start, timeout: number): Promise<Trial | undefined> {
  let called = false
  const server = createServer((socket) => {
    called = true
    socket.destroy()
  })
  const folder = await makeTemporary('trial')
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    const [secret, publicFile] = [join(folder, 'secret'), join(folder, 'public')]
    await writeFile(secret, 'secret', { mode: 0o600 })
    await writeFile(publicFile, 'public')
    // Permissions are set explicitly: with a strict umask the public file would be unreadable even without a
    // sandbox.
    await chmod(publicFile, 0o644)
    await chmod(folder, 0o755)
    const trialProcess = start('perl', ['-e', script, String(port), secret, publicFile], {})
    const ended = await run(trialProcess, timeout).finally(trialProcess.release)
    return ended === undefined ? undefined : readTrial(ended, called)
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Undefined when a signal ended the process, such as the one sent after the timeout. */
function run({ command, args }: Omit<Confined, 'isolation'>, timeout: number): Promise<Ended | undefined> {
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    UNSHARE: process.arch === 'arm64' ? '97' : '272',
  }
  return new Promise((resolve) => {
    execFile(command, [...args], { timeout, killSignal: 'SIGKILL', env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      resolve(typeof code === 'number' ? { code, stdout, stderr } : undefined)
    })
  })
}

/**
 * Undefined when the script failed. A connection that the server saw counts even if the script reported a
 * failure.
 */
function readTrial({ code, stdout, stderr }: Ended, called: boolean): Trial | undefined {
  const [, because] = refusalSays.exec(stderr) ?? []
  if (code === refusalStatus && because !== undefined) return { refused: because }
  const results = new Map(
    [...stdout.matchAll(/^(\w+)=(\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  )
  const user = results.get('user')
  if (code !== 0 || user === undefined) return undefined
  if (user === 0) return { refused: 'it would run as root' }
  const failed = (name: string) => results.get(name) === 0
  return {
    isolation: {
      user: user === process.getuid?.() ? 'service' : 'own',
      network: !called && failed('call') && failed('datagram'),
      files: failed('secret') && failed('public'),
      sandbox: results.get('sandbox') === 1,
    },
  }
}
