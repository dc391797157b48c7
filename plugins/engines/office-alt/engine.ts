import { entryOf } from '../../../shared/entry-of.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import type { Scan } from '../../../shared/office/incoming/scan.ts'
import { scanDocument } from '../../../shared/office/incoming/scan-document.ts'
import { openZip } from '../../../shared/office/zip.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type {
  Acceptance,
  ConversionResult,
  ConvertJob,
  Engine,
  Host,
} from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'
import { mainParts, title } from './conversions.ts'
import type { Driver } from './driver.ts'
import { onlyOffice } from './onlyoffice.ts'
import { packagedDrivers } from './packaged.ts'
import type { AlternativeSettings } from './settings.ts'
import { x2t } from './x2t.ts'

const noOffice =
  'no other office was found: set SERVICE_OFFICE_ALT_URL, or start with npm start -- --with-office-alt'
/** Time reserved for the next program, in case this one hangs. */
const fractionForFirst = 0.6

export function createEngine(settings: AlternativeSettings, host: Host): Engine<IgnoredOptions> {
  let drivers: Promise<readonly Driver[]> | undefined
  return {
    convert,
    start: async () => void (await available()),
    async stop() {
      const created = await drivers
      drivers = undefined
      await Promise.all(created?.map((driver) => driver.stop?.()) ?? [])
    },
    health,
  }

  function available(): Promise<readonly Driver[]> {
    drivers ??= find()
    return drivers
  }

  /** A configured server is used exclusively; programs of the machine are used when there is none. */
  async function find(): Promise<readonly Driver[]> {
    if (settings.url !== undefined) return [onlyOffice({ ...settings, url: settings.url }, host)]
    const all = [x2t(settings.x2t, host), ...packagedDrivers(host)]
    const availability = await Promise.all(all.map((driver) => driver.isAvailable()))
    return all.filter((_, at) => availability[at])
  }

  async function health(): Promise<Acceptance> {
    const [first, ...more] = await available()
    if (first === undefined) return { ok: false, because: noOffice }
    const { title: name } = first
    if (!(await first.isAvailable())) return { ok: false, because: `${name} does not answer` }
    return { ok: true, using: [first, ...more].map((driver) => driver.title).join(', ') }
  }

  async function convert(job: ConvertJob<IgnoredOptions>, signal: AbortSignal): Promise<ConversionResult> {
    const { from, to, options, deadline } = job
    const part = entryOf(mainParts, from)
    if (part === undefined || to !== 'pdf') throw new AppError('convert.pair', { engine: title, from, to })
    const bytes = await bytesOf(job.source)
    const scan = await checked(bytes, job, part, { host, signal })
    const able = (await available()).filter(({ formats }) => formats.includes(from))
    let reason: unknown = new AppError('convert.engine-off', { engine: title, because: noOffice })
    for (const [at, driver] of able.entries()) {
      signal.throwIfAborted()
      const left = deadline - host.now()
      const driverDeadline = at === able.length - 1 ? deadline : host.now() + left * fractionForFirst
      try {
        const pdf = await driver.convert({ from, bytes: scan.bytes, deadline: driverDeadline, signal })
        const warnings = [...scan.warnings, ...ignoredWarnings(options, to)]
        return { value: fromBytes(refuseNoPdf(pdf, driver)), warnings }
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
 * Damaged and encrypted files and those of another format are refused here, because the programs cannot report them,
 * and links to external content are removed. Each run has a folder of its own, so no files are left behind.
 */
async function checked(
  bytes: Uint8Array,
  job: ConvertJob<IgnoredOptions>,
  part: RegExp,
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
): Promise<Scan> {
  const { from } = job
  const refuse = (because: string) => new AppError('convert.document', { engine: title, from, because })
  if (bytes.length === 0) throw refuse('it is empty')
  if (!hasPart(bytes, from, part, host)) throw refuse('its content is of another format')
  return scanDocument(host, title, bytes, job, signal)
}

/** Whether the file is a package with this part. Throws 'convert.password' for one that is encrypted. */
function hasPart(bytes: Uint8Array, from: FormatId, part: RegExp, { codec }: Host): boolean {
  try {
    const { entries } = openZip(bytes, { codec, limits: defaultLimits, format: from })
    return entries.some(({ name }) => part.test(name))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'package.encrypted') throw new AppError('convert.password', { from })
    return false
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
    because: 'its output is truncated',
  })
}
