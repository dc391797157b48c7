import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Confined, ConfineOptions, Isolation } from '../../shared/plugin/processes.ts'

/** What stands around a confined program, or why none can be started. */
export type Trial = { readonly isolation: Isolation } | { readonly refused: string }

type Start = (
  command: string,
  args: readonly string[],
  options: ConfineOptions,
) => Omit<Confined, 'isolation'>

/** A machine under load may take long. What takes longer than the last is asked again by the next who wants to know. */
const patienceMs = [5_000, 20_000, 60_000]

/** How confine.pl begins what it says when it gives up, and the status with which it does. */
export const refusalStatus = 125
export const refusalSays = /^confine: (.+)$/m

/**
 * Does inside of a confinement what a program taken over by a document would do, in a child of its own: it calls a
 * server of ours, reads a file that nobody may read but us, and one that everybody may. Prints `name=value` for each.
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

/** Undefined: it ran out of time, or the machine had no room for it. */
export async function tryConfinement(start: Start): Promise<Trial | undefined> {
  for (const timeout of patienceMs) {
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
  const folder = await mkdtemp(join(tmpdir(), 'platen-trial-'))
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    const [secret, open] = [join(folder, 'secret'), join(folder, 'public')]
    await writeFile(secret, 'secret', { mode: 0o600 })
    await writeFile(open, 'public')
    // Whatever our umask is: neither it nor the folder alone shall keep everybody out.
    await chmod(open, 0o644)
    await chmod(folder, 0o755)
    const started = start('perl', ['-e', script, String(port), secret, open], {})
    const ended = await run(started, timeout).finally(started.release)
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

/** Undefined when it was killed, by us or by anybody. */
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

function readTrial({ code, stdout, stderr }: Ended, called: boolean): Trial | undefined {
  const [, because] = refusalSays.exec(stderr) ?? []
  if (code === refusalStatus && because !== undefined) return { refused: because }
  const found = new Map(
    [...stdout.matchAll(/^(\w+)=(\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  )
  const user = found.get('user')
  if (code !== 0 || user === undefined) return undefined
  if (user === 0) return { refused: 'it would run as root' }
  const not = (name: string) => found.get(name) === 0
  return {
    isolation: {
      user: user === process.getuid?.() ? 'service' : 'own',
      network: !called && not('call') && not('datagram'),
      files: not('secret') && not('public'),
      sandbox: found.get('sandbox') === 1,
    },
  }
}
