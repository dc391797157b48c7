import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Host } from '../../../shared/plugin/contract.ts'
import type { ProgramResult } from '../../../shared/plugin/processes.ts'
import type { DriverJob } from './driver.ts'

const megabyte = 2 ** 20
const addressSpaceBytes = 6144 * megabyte
const maxFileBytes = 512 * megabyte
/** Fonts with the metrics of common document fonts; all others come from the system. */
const fonts = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include><cachedir prefix="xdg">fontconfig</cachedir>
${alias('Calibri', 'Carlito')}${alias('Cambria', 'Caladea')}${alias('Arial', 'Liberation Sans')}
${alias('Times New Roman', 'Liberation Serif')}${alias('Courier New', 'Liberation Mono')}</fontconfig>`
/** A shell script on standard input: $1 and so on are the command, which runs in the folder of its files. */
const inFolder = `FONTCONFIG_FILE="$PWD/fonts.conf"; export FONTCONFIG_FILE; exec "$@"`

/** Runs a program of an office on files in a folder of its own, without network. */
export async function runOffice(
  host: Host,
  title: string,
  { from, deadline, signal }: DriverJob,
  run: {
    readonly command: readonly string[]
    readonly files: Readonly<Record<string, Uint8Array>>
    readonly read?: readonly string[] // where it is installed, when that is outside of the system's folders
  },
): Promise<ProgramResult> {
  if (host.runProgram === undefined)
    throw new AppError('convert.engine-off', { engine: title, because: 'this host cannot run programs' })
  return host.runProgram({
    title,
    program: 'sh',
    args: ['-c', inFolder, 'sh', ...run.command],
    // The message bus of the program does not start for a user without a name.
    named: true,
    ...(run.read !== undefined && { read: run.read }),
    files: { ...run.files, 'fonts.conf': new TextEncoder().encode(fonts) },
    environment: { QT_QPA_PLATFORM: 'offscreen', XDG_RUNTIME_DIR: '.', NO_AT_BRIDGE: '1' },
    limits: { addressSpaceBytes, fileBytes: maxFileBytes },
    doing: `converting ${from} to pdf`,
    deadline,
    signal,
  })
}

/**
 * Whether a program is on the path, or at the given path. The look-up needs no process, which could be slow.
 */
export async function isInstalled(program: string): Promise<boolean> {
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  for (const folder of folders) if (await isExecutable(join(folder, program))) return true
  return false
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function alias(family: string, substitute: string): string {
  return `<alias binding="same"><family>${family}</family><accept><family>${substitute}</family></accept></alias>\n`
}
