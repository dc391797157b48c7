import { binaryText } from '../../../bytes.ts'
import { entryOf } from '../../../entry-of.ts'
import { readable } from '../../model/limits.ts'
import { PdfDict, PdfName, PdfStream, PdfString, type PdfValue } from '../../model/values.ts'
import type { ConformJob } from './job.ts'

const maxDepth = 8
const deviceComponents: Readonly<Record<string, number>> = { DeviceRGB: 3, DeviceCMYK: 4 }
const defaults: Readonly<Record<string, string>> = { DeviceRGB: 'DefaultRGB', DeviceCMYK: 'DefaultCMYK' }
const processInks = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'None'])

/**
 * Checks a colour space. Device colour spaces require an output intent with the same number of components, or a default in
 * the resources. `components` is that of the output intent; undefined accepts everything. ISO 19005-2, 6.2.4.
 */
export function checkColour(
  job: ConformJob,
  value: PdfValue,
  resources: PdfDict,
  components: number | undefined,
  depth = 0,
): void {
  const { document, conformance, findings } = job
  if (components === undefined) return
  const space = document.resolve(value)
  if (depth > maxDepth) {
    findings.obstacle('colours nested too deeply')
    return
  }
  if (space instanceof PdfName) {
    const needed = entryOf(deviceComponents, space.text)
    if (needed === undefined || needed === components) return
    const defaultSpace =
      document.dictAt(resources, 'ColorSpace')?.get(entryOf(defaults, space.text) ?? '') ?? null
    if (document.resolve(defaultSpace) === null)
      findings.obstacle(needed === 4 ? 'CMYK colours without a profile' : 'RGB colours beside a CMYK profile')
    return
  }
  if (!Array.isArray(space)) return
  const kind = document.resolve(space[0] ?? null)
  if (!(kind instanceof PdfName)) return
  const inner = (at: number) => checkColour(job, space[at] ?? null, resources, components, depth + 1)
  switch (kind.text) {
    case 'ICCBased':
      checkProfile(job, space[1] ?? null)
      return
    case 'Indexed':
    case 'I':
    case 'Pattern':
      inner(1)
      return
    case 'Separation':
      inner(2)
      return
    case 'DeviceN': {
      const names = document.resolve(space[1] ?? null)
      const attributes = document.resolve(space[4] ?? null)
      const described = attributes instanceof PdfDict ? document.dictAt(attributes, 'Colorants') : undefined
      const isListed = (ink: PdfValue) =>
        ink instanceof PdfName && (processInks.has(ink.text) || described?.get(ink.text) !== null)
      if (
        conformance.archive > 1 &&
        Array.isArray(names) &&
        !names.map((value) => document.resolve(value)).every(isListed)
      )
        findings.obstacle('inks without a description')
      inner(2)
      return
    }
    default:
      if (space.length === 1) checkColour(job, kind, resources, components, depth + 1)
  }
}

const colourComponents: Readonly<Record<string, number>> = { 'RGB ': 3, CMYK: 4, GRAY: 1, 'Lab ': 3 }

/** Part 1 allows ICC profiles up to version 2, the others up to version 4. ISO 19005-1, 6.2.2; ISO 19005-2, 6.2.3. */
function checkProfile(job: ConformJob, value: PdfValue): void {
  if (profileComponents(job, value) === undefined)
    job.findings.obstacle('colour profiles that PDF/A does not allow')
}

/** The number of components of an ICC profile; undefined for a profile that this part of PDF/A does not allow. */
export function profileComponents(
  { document, conformance }: ConformJob,
  value: PdfValue,
): number | undefined {
  const stream = document.resolve(value)
  if (!(stream instanceof PdfStream)) return undefined
  const content = readable(() => document.inflater.content(stream, document.resolve))
  if (content === undefined || content.length < 128) return undefined
  const head = binaryText(content.subarray(0, 40))
  const components = entryOf(colourComponents, head.slice(16, 20))
  const fits =
    head.slice(36, 40) === 'acsp' &&
    head.charCodeAt(8) <= (conformance.archive === 1 ? 2 : 4) &&
    ['prtr', 'mntr', 'scnr', 'spac'].includes(head.slice(12, 16)) &&
    document.resolve(stream.dict.get('N')) === components
  return fits ? components : undefined
}

/** Whether a value is a text that is not empty. */
export const isText = (value: PdfValue): boolean => value instanceof PdfString && value.raw !== ''
