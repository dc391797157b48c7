import { binaryText } from '../../../bytes.ts'
import { readable } from '../../model/limits.ts'
import type { PdfPage } from '../../model/pages.ts'
import { isName, PdfDict, PdfName, PdfStream, type PdfValue } from '../../model/values.ts'
import { type ContentOperator, contentOperators } from '../../read/content-operators.ts'
import { checkColour } from './colours.ts'
import { settleFonts } from './fonts.ts'
import type { ConformContext, ConformJob } from './job.ts'

/** ISO 32000-2, table 50. */
const operators = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri S s
  SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(/\s+/),
)
const showing = new Set(['Tj', 'TJ', "'", '"'])
/** The operators that select a device colour space. */
const deviceOf: ReadonlyMap<string, string> = new Map([
  ['rg', 'DeviceRGB'],
  ['RG', 'DeviceRGB'],
  ['k', 'DeviceCMYK'],
  ['K', 'DeviceCMYK'],
  ['g', 'DeviceGray'],
  ['G', 'DeviceGray'],
])
/** The short names of colour spaces in inline images. ISO 32000-2, table 92. */
const shortSpaces: ReadonlyMap<string, string> = new Map([
  ['G', 'DeviceGray'],
  ['RGB', 'DeviceRGB'],
  ['CMYK', 'DeviceCMYK'],
])
/** How often `q` may be nested. ISO 19005-2, 6.1.13. */
const maxNesting = 28
const invisible = 3
const maxContentBytes = 64 * 1024 * 1024

interface Walk {
  readonly job: ConformJob
  /** The components of the output intent; undefined where colours do not matter. */
  readonly components: number | undefined
  readonly seen: Set<PdfDict>
  /** The fonts that visible text is shown in. */
  readonly fonts: Set<PdfDict>
}

/** Walks everything that pages, forms, patterns, glyphs and annotations draw, and checks what it uses. */
export async function checkContents(
  job: ConformJob,
  pages: readonly PdfPage[],
  context: ConformContext & { readonly components: number | undefined },
): Promise<void> {
  const { document } = job
  const walk: Walk = { job, components: context.components, seen: new Set(), fonts: new Set() }
  for (const page of pages) {
    context.signal.throwIfAborted()
    checkGroup(walk, page.dict)
    const resources = document.resolve(page.inherited.get('Resources') ?? null)
    const contents = document.resolve(page.dict.get('Contents'))
    const parts = (Array.isArray(contents) ? contents : [contents]).map((content) =>
      document.resolve(content),
    )
    const texts = parts.map((part) => (part instanceof PdfStream ? contentOf(walk, part) : ''))
    checkContent(walk, texts.join('\n'), resources instanceof PdfDict ? resources : new PdfDict(), 0)
    const annotations = document.resolve(page.dict.get('Annots'))
    for (const annotationRef of Array.isArray(annotations) ? annotations : []) {
      const annotation = document.resolve(annotationRef)
      const appearances = annotation instanceof PdfDict ? document.dictAt(annotation, 'AP') : undefined
      if (appearances !== undefined) checkAppearances(walk, appearances.get('N'), 0)
    }
  }
  await settleFonts(job, [...walk.fonts], context)
}

function contentOf({ job: { document, findings } }: Walk, stream: PdfStream): string {
  const bytes = readable(() => document.inflater.content(stream, document.resolve, maxContentBytes))
  if (bytes === undefined) findings.obstacle('pages that cannot be unpacked')
  return bytes === undefined ? '' : binaryText(bytes)
}

/** Part 1 forbids transparency groups. A group without transparent content is drawn identically without being one. */
function checkGroup(walk: Walk, holder: PdfDict): void {
  const { document, conformance } = walk.job
  const group = document.dictAt(holder, 'Group')
  if (group === undefined || conformance.archive === 0) return
  if (conformance.archive === 1) holder.delete('Group')
  else checkColour(walk.job, group.get('CS'), new PdfDict(), walk.components)
}

function checkAppearances(walk: Walk, value: PdfValue, depth: number): void {
  const { document } = walk.job
  const appearance = document.resolve(value)
  if (appearance instanceof PdfStream) checkForm(walk, appearance, new PdfDict(), 0)
  else if (appearance instanceof PdfDict && depth === 0)
    for (const state of appearance.entries.values()) checkAppearances(walk, state, depth + 1)
}

function checkForm(walk: Walk, form: PdfStream, outer: PdfDict, depth: number): void {
  const { document, findings } = walk.job
  if (walk.seen.has(form.dict)) return
  walk.seen.add(form.dict)
  if (depth > document.limits.depth) {
    findings.obstacle('drawings nested too deeply')
    return
  }
  checkGroup(walk, form.dict)
  checkContent(walk, contentOf(walk, form), document.dictAt(form.dict, 'Resources') ?? outer, depth)
}

interface TextState {
  readonly font: string | undefined
  readonly mode: number
}

function checkContent(walk: Walk, content: string, resources: PdfDict, depth: number): void {
  const { job, components } = walk
  const { document, findings } = job
  const named = (kind: string, name: string | undefined): PdfValue =>
    name === undefined ? null : document.resolve(document.dictAt(resources, kind)?.get(name) ?? null)
  let state: TextState = { font: undefined, mode: 0 }
  const saved: TextState[] = []
  for (const operator of contentOperators(content)) {
    const { name } = operator
    if (!operators.has(name)) findings.obstacle('unknown drawing operators')
    const device = deviceOf.get(name)
    if (device !== undefined) checkColour(job, new PdfName(device), resources, components)
    if (showing.has(name) && state.mode !== invisible)
      useFont(walk, named('Font', state.font), resources, depth)
    const resource = resourceChecks.get(name)
    if (resource !== undefined) {
      const operand = nameOperand(content, operator)
      resource.check({ walk, resources, depth }, named(resource.kind, operand), operand)
    }
    switch (name) {
      case 'q':
        saved.push(state)
        if (saved.length > maxNesting)
          findings.obstacle(`graphics states nested more than ${maxNesting} deep`)
        break
      case 'Q':
        state = saved.pop() ?? state
        break
      case 'Tf':
        state = { ...state, font: nameOperand(content, operator) }
        break
      case 'Tr':
        state = { ...state, mode: modeOperand(content, operator) }
        break
      case 'BI':
        checkInlineImage(walk, content.slice(operator.from, operator.to), resources)
        break
      default:
    }
  }
}

/** The content stream in which a resource is used. */
interface UsingContent {
  readonly walk: Walk
  readonly resources: PdfDict
  /** How deep the content stream is nested in others. */
  readonly depth: number
}

interface ResourceCheck {
  /** The entry of the resource dictionary that holds resources of this kind. */
  readonly kind: string
  /** `name` is the operand, `resource` what it refers to, or null. */
  check(using: UsingContent, resource: PdfValue, name: string | undefined): void
}

const colourSpaceCheck: ResourceCheck = {
  kind: 'ColorSpace',
  check({ walk: { job, components }, resources }, space, name = '') {
    checkColour(job, space === null ? new PdfName(name) : space, resources, components)
  },
}

const patternCheck: ResourceCheck = {
  kind: 'Pattern',
  check({ walk, resources, depth }, pattern) {
    if (pattern instanceof PdfStream) checkForm(walk, pattern, resources, depth + 1)
    else if (pattern instanceof PdfDict)
      checkShading(walk, walk.job.document.resolve(pattern.get('Shading')), resources)
  },
}

/** The operators that use a resource by its name. */
const resourceChecks: ReadonlyMap<string, ResourceCheck> = new Map<string, ResourceCheck>([
  ['cs', colourSpaceCheck],
  ['CS', colourSpaceCheck],
  ['scn', patternCheck],
  ['SCN', patternCheck],
  [
    'gs',
    {
      kind: 'ExtGState',
      check({ walk, resources, depth }, state) {
        if (state instanceof PdfDict) checkState(walk, state, resources, depth)
      },
    },
  ],
  [
    'Do',
    {
      kind: 'XObject',
      check({ walk, resources, depth }, drawn) {
        if (drawn instanceof PdfStream) checkObject(walk, drawn, resources, depth)
      },
    },
  ],
  [
    'sh',
    {
      kind: 'Shading',
      check({ walk, resources }, shading) {
        checkShading(walk, shading, resources)
      },
    },
  ],
])

/** The text rendering mode that `Tr` sets. ISO 32000-2, table 104. */
const modeOperand = (content: string, { from, to }: ContentOperator): number =>
  Number(/(\d)\s*Tr$/.exec(content.slice(from, to))?.[1] ?? 0)

/** The name among the operands, with escapes resolved (ISO 32000-2, 7.3.5). */
function nameOperand(content: string, { from, to }: ContentOperator): string | undefined {
  const name = [...content.slice(from, to).matchAll(/\/([^\0\t\n\f\r ()<>[\]{}/%]*)/g)].at(-1)?.[1]
  return name?.replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function checkObject(walk: Walk, drawn: PdfStream, resources: PdfDict, depth: number): void {
  const { job, components } = walk
  const { document } = job
  if (isName(document.resolve(drawn.dict.get('Subtype')), 'Form')) {
    checkForm(walk, drawn, resources, depth + 1)
    return
  }
  if (walk.seen.has(drawn.dict)) return
  walk.seen.add(drawn.dict)
  if (document.resolve(drawn.dict.get('ImageMask')) !== true)
    checkColour(job, drawn.dict.get('ColorSpace'), resources, components)
}

function checkShading({ job, components }: Walk, shading: PdfValue, resources: PdfDict): void {
  const head = shading instanceof PdfStream ? shading.dict : shading
  if (head instanceof PdfDict) checkColour(job, head.get('ColorSpace'), resources, components)
}

/** Pictures within a content stream use short names for their entries. ISO 32000-2, 8.9.7. */
function checkInlineImage({ job, components }: Walk, dictionaryText: string, resources: PdfDict): void {
  const { document, findings, conformance } = job
  if (conformance.archive === 0) return
  const head = dictionaryText.slice(0, dictionaryText.search(/\bID\b/))
  const space = /\/(?:CS|ColorSpace)\s*\/(\w+)/.exec(head)?.[1]
  if (space !== undefined) {
    const namedSpace = document.dictAt(resources, 'ColorSpace')?.get(space) ?? null
    checkColour(job, namedSpace ?? new PdfName(shortSpaces.get(space) ?? space), resources, components)
  }
  if (/\/LZW/.test(head)) findings.obstacle('data compressed with LZW or encrypted')
  if (/\/(?:I|Interpolate)\s+true/.test(head)) findings.obstacle('pictures that are smoothed')
}

/** Removes device-dependent entries and checks transparency. ISO 19005-1, 6.2.8, 6.4; ISO 19005-2, 6.2.5. */
function checkState(walk: Walk, state: PdfDict, resources: PdfDict, depth: number): void {
  const { document, conformance, findings } = walk.job
  const font = document.resolve(state.get('Font'))
  if (Array.isArray(font)) useFont(walk, document.resolve(font[0] ?? null), resources, depth)
  if (walk.seen.has(state)) return
  walk.seen.add(state)
  const mask = document.resolve(state.get('SMask'))
  const drawn = mask instanceof PdfDict ? document.resolve(mask.get('G')) : null
  if (drawn instanceof PdfStream) checkForm(walk, drawn, resources, depth + 1)
  if (conformance.archive === 0) return
  for (const key of ['TR', 'TR2', 'HT', 'HTP', 'BG', 'BG2', 'UCR', 'UCR2', 'RI']) state.delete(key)
  const modes = document.resolve(state.get('BM'))
  const mode = Array.isArray(modes) ? document.resolve(modes[0] ?? null) : modes
  if (mode instanceof PdfName && !blendModes.has(mode.text))
    findings.obstacle('colours with an unknown blend mode')
  if (conformance.archive > 1) return
  const isNormal = mode === null || isName(mode, 'Normal') || isName(mode, 'Compatible')
  const isOpaque = ['ca', 'CA'].every((key) => (document.resolve(state.get(key)) ?? 1) === 1)
  if (!isNormal || !isOpaque || mask instanceof PdfDict) findings.obstacle('transparency')
}

const blendModes = new Set(
  `Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion
  Hue Saturation Color Luminosity`.split(/\s+/),
)

/** Records a font that shows text. The glyph procedures of a Type 3 font are walked. */
function useFont(walk: Walk, font: PdfValue, resources: PdfDict, depth: number): void {
  const { document, findings } = walk.job
  if (!(font instanceof PdfDict)) {
    findings.obstacle('text without a font')
    return
  }
  if (walk.fonts.has(font)) return
  walk.fonts.add(font)
  if (!isName(document.resolve(font.get('Subtype')), 'Type3')) return
  const fontResources = document.dictAt(font, 'Resources') ?? resources
  for (const glyph of document.dictAt(font, 'CharProcs')?.entries.values() ?? []) {
    const drawing = document.resolve(glyph)
    if (drawing instanceof PdfStream && !walk.seen.has(drawing.dict)) {
      walk.seen.add(drawing.dict)
      if (depth > document.limits.depth) {
        findings.obstacle('drawings nested too deeply')
        return
      }
      checkContent(walk, contentOf(walk, drawing), fontResources, depth + 1)
    }
  }
}
