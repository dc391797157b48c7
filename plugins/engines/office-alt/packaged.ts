import { AppError } from '../../../shared/errors/app-error.ts'
import type { Host } from '../../../shared/plugin/contract.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'
import type { Driver } from './driver.ts'
import { isInstalled, runOffice } from './programs.ts'

interface Packaged {
  readonly title: string
  /** The program for each format. */
  readonly programs: Readonly<Record<FormatId, string>>
  /** Programs that the ones above need, although distributions do not always install them together. */
  readonly needs?: string
  command(program: string, source: string): readonly string[]
}

const output = 'made.pdf'
/** Exit status of the wrapper if the program did not indicate that it could read the document. */
const unread = 3

/**
 * Calligra never exits by itself, and it first writes a valid file with an empty page. The output is complete
 * when it has grown beyond that and keeps its size. Times are in tenths of a second; $1 program, $2 source,
 * $3 output. The default configuration of D-Bus leaves a socket in the temporary folder of the machine after each run, so
 * this one listens where no file is needed.
 */
const calligraWrapper = `
cat > bus.conf <<END
<busconfig><type>session</type><listen>unix:abstract=platen-\${PWD##*/}-$$</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
END
dbus-run-session --config-file="$PWD/bus.conf" -- "$1" --export-pdf --export-filename "$PWD/$3" "$PWD/$2" >/dev/null 2>&1 &
started=$!
last=-1 same=0 round=0
while sleep 0.1; do
  round=$((round + 1))
  size=$(stat -c %s "$3" 2>/dev/null || echo 0)
  if [ "$size" -gt 0 ] && [ "$size" = "$last" ]; then same=$((same + 1)); else same=0; fi
  last=$size
  if [ "$size" -gt 1500 ] && [ "$same" -ge 2 ] && tail -c 16 "$3" | grep -q '%%EOF'; then exit 0; fi
  if [ "$size" -gt 0 ] && [ "$same" -ge 40 ]; then exit ${unread}; fi
  if ! kill -0 "$started" 2>/dev/null; then exit ${unread}; fi
  if [ "$size" = 0 ] && [ "$round" -ge 150 ]; then exit ${unread}; fi
done`

const packaged: readonly Packaged[] = [
  {
    title: 'Calligra',
    programs: { docx: 'calligrawords', xlsx: 'calligrasheets', pptx: 'calligrastage' },
    needs: 'dbus-run-session',
    command: (program, source) => ['sh', 'calligra.sh', program, source, output],
  },
  {
    title: 'AbiWord',
    programs: { docx: 'abiword' },
    command: (program, source) => [program, '--to=pdf', `--to-name=${output}`, source],
  },
  {
    title: 'Gnumeric',
    programs: { xlsx: 'ssconvert' },
    command: (program, source) => [program, source, output],
  },
]

/**
 * Offices that distributions package, the most capable first. An office is available when all its programs
 * are. When only a helper program is missing, the operator is informed, because the office appears to be
 * installed.
 */
export function packagedDrivers(host: Host): readonly Driver[] {
  return packaged.map(({ title, programs, needs, command }) => ({
    title,
    formats: Object.keys(programs),
    async isAvailable() {
      const installed = await Promise.all(Object.values(programs).map(isInstalled))
      if (!installed.every(Boolean)) return false
      if (needs === undefined || (await isInstalled(needs))) return true
      host.log.warn('office-alt.program-missing', { engine: title, missing: needs })
      return false
    },
    async convert(job) {
      const { from, bytes } = job
      const source = `document.${from}`
      const wrapper = new TextEncoder().encode(calligraWrapper)
      const files = { [source]: bytes, 'calligra.sh': wrapper }
      const run = { command: command(programs[from] ?? '', source), files }
      const result = await runOffice(host, title, job, run)
      const outputFile = result.files.get(output)
      if (result.code === 0 && outputFile !== undefined && outputFile.length > 0) return outputFile
      throw new AppError('convert.document', {
        engine: title,
        from,
        because: 'it is empty, damaged or not of this type',
      })
    },
  }))
}
