import { XmlFault } from '../../../shared/document/xml-cursor.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { type Scan, scanIncoming } from '../../../shared/office/incoming/scan.ts'
import { openZip } from '../../../shared/office/zip.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type {
  Conversion,
  ConvertJob,
  Engine,
  FormatId,
  Host,
  Made,
  Verdict,
} from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import { defaultLimits } from '../../../shared/template/limits.ts'
import type { Driver } from './driver.ts'
import { onlyOffice } from './onlyoffice.ts'
import { packagedDrivers } from './packaged.ts'
import type { AlternativeSettings } from './settings.ts'
import { x2t } from './x2t.ts'

export const title = 'Alternative office'

/** Part that a package of each format has. */
const mainParts: Readonly<Record<FormatId, RegExp>> = {
  docx: /^word\/document\d*\.xml$/i,
  xlsx: /^xl\/workbook\.xml$/i,
  pptx: /^ppt\/presentation\.xml$/i,
}
export const conversions: readonly Conversion[] = Object.keys(mainParts).map((from) => ({
  from,
  to: 'pdf',
  fidelity: 'high',
  cost: 500,
}))

const nothing =
  'no other office was found: set SERVICE_OFFICE_ALT_URL, or install calligrawords, calligrasheets and calligrastage'
/** What is kept back from a program that may hang, for the one behind it. */
const shareOfFirst = 0.6

export function createEngine(settings: AlternativeSettings, host: Host): Engine<IgnoredOptions> {
  let drivers: Promise<readonly Driver[]> | undefined
  return {
    convert,
    start: async () => void (await available()),
    async stop() {
      const found = await drivers
      drivers = undefined
      await Promise.all(found?.map((driver) => driver.stop?.()) ?? [])
    },
    health,
  }

  function available(): Promise<readonly Driver[]> {
    drivers ??= find()
    return drivers
  }

  /** A server that is configured is the choice; what the machine has stands in where none is. */
  async function find(): Promise<readonly Driver[]> {
    if (settings.url !== undefined) return [onlyOffice({ ...settings, url: settings.url }, host)]
    const all = [x2t(settings.x2t, host), ...packagedDrivers(host)]
    const found = await Promise.all(all.map((driver) => driver.found()))
    return all.filter((_, at) => found[at])
  }

  async function health(): Promise<Verdict> {
    const [first, ...more] = await available()
    if (first === undefined) return { ok: false, because: nothing }
    const { title: name } = first
    if (!(await first.found())) return { ok: false, because: `${name} does not answer` }
    return { ok: true, using: [first, ...more].map((driver) => driver.title).join(', ') }
  }

  async function convert(job: ConvertJob<IgnoredOptions>, signal: AbortSignal): Promise<Made> {
    const { from, to, options, deadline } = job
    const part = mainParts[from]
    if (part === undefined || to !== 'pdf') throw new AppError('convert.pair', { engine: title, from, to })
    const bytes = await bytesOf(job.source)
    const scan = checked(bytes, from, part, host)
    const able = (await available()).filter(({ formats }) => formats.includes(from))
    let reason: unknown = new AppError('convert.engine-off', { engine: title, because: nothing })
    for (const [at, driver] of able.entries()) {
      signal.throwIfAborted()
      const left = deadline - host.now()
      const own = at === able.length - 1 ? deadline : host.now() + left * shareOfFirst
      try {
        const made = await driver.convert({ from, bytes: scan.bytes, deadline: own, signal })
        const warnings = [...scan.warnings, ...ignoredWarnings(options, to)]
        return { value: fromBytes(refuseNoPdf(made, driver)), warnings }
      } catch (error) {
        signal.throwIfAborted()
        reason = error
        host.log.warn('office-alt.failed', { program: driver.title, error })
      }
    }
    throw reason
  }
}

/**
 * What is damaged, locked or of another kind is told before a program that cannot tell, and links to anything outside
 * are dropped: each run has a folder of its own, so nothing else stays behind.
 */
function checked(bytes: Uint8Array, from: FormatId, part: RegExp, { codec }: Host): Scan {
  const refuse = (because: string) => new AppError('convert.document', { engine: title, from, because })
  if (bytes.length === 0) throw refuse('it is empty')
  try {
    const { entries, read } = openZip(bytes, { codec, limits: defaultLimits, format: from })
    const main = entries.find(({ name }) => part.test(name))
    if (main === undefined) throw refuse('its content is of another kind')
    read(main)
    return scanIncoming(bytes, from, { codec, limits: defaultLimits })
  } catch (error) {
    if (error instanceof XmlFault) throw refuse(error.message)
    if (!(error instanceof AppError)) throw error
    if (error.code === 'package.encrypted') throw new AppError('convert.password', { from })
    throw error.code.startsWith('package.') ? refuse('it is damaged or too large') : error
  }
}

function refuseNoPdf(bytes: Uint8Array, driver: Driver): Uint8Array {
  const latin = (from: number, to: number) => new TextDecoder('latin1').decode(bytes.subarray(from, to))
  if (latin(0, 5) === '%PDF-' && /%%EOF\s*$/.test(latin(Math.max(0, bytes.length - 64), bytes.length)))
    return bytes
  throw new AppError('convert.failed', {
    engine: driver.title,
    from: 'the document',
    to: 'pdf',
    because: 'what it wrote is cut short',
  })
}
