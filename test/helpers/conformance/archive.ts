/**
 * PDF/A, read off the file: the clauses of ISO 19005-1 to -4 that a program can decide, in our own words. Each problem
 * begins with its clause in part 2 (part 1 where it is only there).
 */
import { type Content, contentsOf, isKnown, type Operand } from './content.ts'
import { metadataProblems } from './metadata.ts'
import { type Dict, isDict, readStructure, type Structure, textOf, type Value } from './structure.ts'

type Tell = (clause: string, problem: string) => undefined

export function archiveProblems(bytes: Uint8Array, part: 1 | 2 | 3 | 4): readonly string[] {
  const pdf = readStructure(bytes)
  const problems = new Set<string>()
  const tell: Tell = (clause, problem) => {
    problems.add(`${clause}: ${problem}`)
    return undefined
  }
  checkFile(pdf, part, tell)
  checkObjects(pdf, part, tell)
  checkGraphics(pdf, part, tell)
  checkAnnotations(pdf, part, tell)
  checkCatalog(pdf, part, tell)
  for (const problem of metadataProblems(pdf, part)) problems.add(problem)
  return [...problems]
}

function checkFile({ raw, trailer, things }: Structure, part: number, tell: Tell): void {
  const head =
    part === 4
      ? /^%PDF-2\.\d[\r\n]+%[\x80-\xff]{4}/
      : part === 1
        ? /^%PDF-1\.[0-4][\r\n]+%[\x80-\xff]{4}/
        : /^%PDF-1\.[0-7][\r\n]+%[\x80-\xff]{4}/
  if (!head.test(raw)) tell('6.1.2', `header ${JSON.stringify(raw.slice(0, 14))}`)
  if (trailer['/Encrypt'] !== undefined) tell('6.1.3', 'encrypted')
  const ids = trailer['/ID']
  if (!Array.isArray(ids) || ids.length !== 2) tell('6.1.3', 'no identifier')
  if (!/%%EOF\s?\s?$/.test(raw)) tell('6.1.3', 'something behind the end')
  if (part === 4 && trailer['/Info'] !== undefined) tell('6.1.3', 'document information in part 4')
  if (part === 1 && /\/Type ?\/(ObjStm|XRef)/.test(raw)) tell('1: 6.1.4', 'object or cross-reference streams')
  if (things.size > 8_388_607) tell('6.1.13', 'too many objects')
  const starts = [...raw.matchAll(/(^|[\r\n]|.)(\d+)( +)(\d+)( +)obj\b(.)?/g)].filter(
    ([all]) => !/stream/.test(all),
  )
  for (const [, before = '', number, gap, , gap2, after = ''] of starts) {
    if (!raw.includes(`\n${number} 0 obj`)) continue
    if (gap !== ' ' || gap2 !== ' ') tell('6.1.9', `object ${number} is written with other spaces`)
    if (before !== '' && !/[\r\n]/.test(before)) tell('6.1.9', `object ${number} does not begin a line`)
    if (after !== '' && !/[\r\n]/.test(after)) tell('6.1.9', `object ${number} does not end its line`)
  }
}

const forbiddenKeys: Readonly<Record<string, string>> = {
  '/F': '6.1.7.1',
  '/FFilter': '6.1.7.1',
  '/FDecodeParms': '6.1.7.1',
}

function checkObjects(pdf: Structure, part: number, tell: Tell): void {
  for (const { id, value, data } of pdf.things.values()) {
    checkLimits(id, value, part, tell)
    if (data === undefined || !isDict(value)) continue
    for (const [key, clause] of Object.entries(forbiddenKeys))
      if (key in value) tell(clause, `stream ${id} refers to a file`)
    for (const filter of [pdf.resolve(value['/Filter'])].flat())
      if (filter === '/LZWDecode' || (filter === '/Crypt' && part > 1)) tell('6.1.7.2', `${filter} in ${id}`)
    if (value['/Subtype'] === '/Image') checkImage(pdf, id, value, part, tell)
    if (value['/Subtype'] === '/Form') {
      for (const key of ['/OPI', '/PS', '/Ref']) if (key in value) tell('6.2.9', `${key} in form ${id}`)
      if (value['/Subtype2'] === '/PS') tell('6.2.9', `PostScript in form ${id}`)
    }
    if (value['/Subtype'] === '/PS') tell('6.2.9', `PostScript ${id}`)
  }
}

function checkImage(pdf: Structure, id: string, image: Dict, part: number, tell: Tell): void {
  for (const key of ['/Alternates', '/OPI']) if (key in image) tell('6.2.8', `${key} in picture ${id}`)
  if (image['/Interpolate'] === true) tell('6.2.8', `picture ${id} is interpolated`)
  const bits = image['/BitsPerComponent']
  if (image['/ImageMask'] === true && bits !== undefined && bits !== 1)
    tell('6.2.8', `mask ${id} of ${bits} bits`)
  const mask = pdf.resolve(image['/SMask'])
  if (part === 1 && mask !== null && mask !== '/None') tell('1: 6.4', `picture ${id} is transparent`)
  if (part === 1 && [pdf.resolve(image['/Filter'])].flat().includes('/JPXDecode'))
    tell('1: 6.1.10', `JPX in ${id}`)
}

function checkLimits(id: string, value: Value, part: number, tell: Tell): void {
  const walk = (one: Value): void => {
    if (typeof one === 'number' && Number.isInteger(one) && Math.abs(one) > 2 ** 31)
      tell('6.1.13', `${one} in ${id}`)
    else if (typeof one === 'string') {
      if (one.startsWith('/') && Buffer.byteLength(one) > 128)
        tell('6.1.13', `a name of ${one.length} bytes in ${id}`)
      const length = one.startsWith('b:') ? (one.length - 2) / 2 : one.startsWith('u:') ? one.length - 2 : 0
      if (length > (part === 1 ? 65_535 : 32_767)) tell('6.1.13', `a string of ${length} bytes in ${id}`)
    } else if (Array.isArray(one)) {
      if (part === 1 && one.length > 8191) tell('1: 6.1.12', `a list of ${one.length} in ${id}`)
      one.forEach(walk)
    } else if (isDict(one)) {
      const entries = Object.entries(one)
      if (part === 1 && entries.length > 4095) tell('1: 6.1.12', `a dictionary of ${entries.length} in ${id}`)
      for (const [key, inner] of entries) {
        walk(key)
        walk(inner)
      }
    }
  }
  walk(value)
}

const intents = ['/RelativeColorimetric', '/AbsoluteColorimetric', '/Perceptual', '/Saturation']
const blendModes =
  `Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight
  Difference Exclusion Hue Saturation Color Luminosity`.split(/\s+/)

function checkGraphics(pdf: Structure, part: number, tell: Tell): void {
  const profile = outputProfile(pdf, part, tell)
  const contents = contentsOf(pdf)
  const device = (space: string, where: string) => {
    const fits = {
      '/DeviceRGB': profile === 'RGB ',
      '/DeviceCMYK': profile === 'CMYK',
      '/DeviceGray': profile !== undefined,
    }
    if (space in fits && !fits[space as keyof typeof fits])
      tell('6.2.4.3', `${space} in ${where} without such a profile`)
  }
  const space = (value: Value | undefined, where: string, depth = 0): void => {
    const found = pdf.resolve(value)
    if (depth > 8 || found === null) return
    if (typeof found === 'string') device(found, where)
    if (!Array.isArray(found)) return
    const [kind, base, alternate, , attributes] = found as Value[]
    if (kind === '/DeviceN' && part > 1) checkInks(pdf, { names: base, attributes, where }, tell)
    if (kind === '/ICCBased') checkProfile(pdf, base, where, part, tell)
    if (kind === '/Indexed' || kind === '/Pattern') space(base, where, depth + 1)
    if (kind === '/Separation' || kind === '/DeviceN') space(alternate, where, depth + 1)
  }
  let transparent = false
  for (const { id, value, data } of pdf.things.values()) {
    if (!isDict(value)) continue
    if (value['/Subtype'] === '/Image' && value['/ImageMask'] !== true)
      space(value['/ColorSpace'], `picture ${id}`)
    if (value['/SMask'] !== undefined && pdf.resolve(value['/SMask']) !== '/None') transparent = true
    if (value['/S'] === '/Transparency' || pdf.dict(value['/Group'])?.['/S'] === '/Transparency') {
      transparent = true
      if (part === 1) tell('1: 6.4', `a transparency group in ${id}`)
      space(pdf.dict(value['/Group'])?.['/CS'] ?? value['/CS'], `group ${id}`)
    }
    if (value['/ShadingType'] !== undefined) space(value['/ColorSpace'], `shading ${id}`)
    if (data === undefined && value['/Type'] === '/ExtGState') checkState(pdf, id, value, part, tell)
  }
  for (const content of contents) {
    checkOperators(pdf, content, device, space, tell)
    for (const state of Object.values(pdf.dict(content.resources['/ExtGState']) ?? {}))
      checkState(pdf, content.where, pdf.dict(state) ?? {}, part, tell)
  }
  if (transparent && part > 1 && profile === undefined)
    tell('6.2.10', 'transparency without an output intent')
}

const processInks = new Set(['/Cyan', '/Magenta', '/Yellow', '/Black', '/None'])

function checkInks(
  pdf: Structure,
  { names, attributes, where }: { names: Value | undefined; attributes: Value | undefined; where: string },
  tell: Tell,
): void {
  const known = pdf.dict(pdf.dict(attributes)?.['/Colorants']) ?? {}
  const missing = pdf
    .array(names)
    .filter((name) => !processInks.has(String(name)) && !(String(name) in known))
  if (missing.length > 0) tell('6.2.4.4', `inks without a description in ${where}`)
}

function outputProfile(pdf: Structure, part: number, tell: Tell): string | undefined {
  const [intent, ...more] = pdf.array(pdf.catalog['/OutputIntents']).map((one) => pdf.dict(one) ?? {})
  if (intent === undefined) return tell('6.2.3', 'no output intent')
  if (intent['/S'] !== '/GTS_PDFA1') tell('6.2.3', `an output intent of kind ${intent['/S']}`)
  if (textOf(pdf.resolve(intent['/OutputConditionIdentifier'])) === undefined)
    tell('6.2.3', 'an output intent without an identifier')
  if (more.some((other) => other['/DestOutputProfile'] !== intent['/DestOutputProfile']))
    tell('6.2.3', 'output intents with several profiles')
  return checkProfile(pdf, intent['/DestOutputProfile'], 'the output intent', part, tell)
}

const componentsOf: Readonly<Record<string, number>> = { 'RGB ': 3, CMYK: 4, GRAY: 1, 'Lab ': 3 }

function checkProfile(
  pdf: Structure,
  value: Value | undefined,
  where: string,
  part: number,
  tell: Tell,
): string | undefined {
  const stream = pdf.stream(value)
  if (stream?.data === undefined) return tell('6.2.3', `no profile in ${where}`)
  const text = Buffer.from(stream.data).toString('latin1')
  const [version, kind, colours] = [text.charCodeAt(8), text.slice(12, 16), text.slice(16, 20)]
  if (text.slice(36, 40) !== 'acsp') tell('6.2.3', `the profile of ${where} is none`)
  if (version > (part === 1 ? 2 : 4)) tell('6.2.3', `a profile of version ${version} in ${where}`)
  if (!['prtr', 'mntr', 'scnr', 'spac'].includes(kind)) tell('6.2.3', `a profile of kind ${kind} in ${where}`)
  if (pdf.dict(value)?.['/N'] !== componentsOf[colours])
    tell('6.2.3', `N does not fit ${colours} in ${where}`)
  if (stream.data.length < Buffer.from(stream.data).readUInt32BE(0))
    tell('6.2.3', `the profile of ${where} is cut off`)
  return colours
}

function checkState(pdf: Structure, where: string, state: Dict, part: number, tell: Tell): void {
  if ('/TR' in state) tell('6.2.5', `a transfer function in ${where}`)
  if ('/TR2' in state && state['/TR2'] !== '/Default') tell('6.2.5', `a transfer function in ${where}`)
  if ('/HTP' in state) tell('6.2.5', `a halftone phase in ${where}`)
  const intent = state['/RI']
  if (intent !== undefined && !intents.includes(String(intent))) tell('6.2.6', `${intent} in ${where}`)
  const mode = [pdf.resolve(state['/BM'])].flat()[0]
  if (typeof mode === 'string' && !blendModes.includes(mode.slice(1))) tell('6.2.10', `${mode} in ${where}`)
  if (part > 1) return
  if (mode !== undefined && mode !== null && mode !== '/Normal' && mode !== '/Compatible')
    tell('1: 6.4', `${String(mode)} in ${where}`)
  for (const key of ['/ca', '/CA'])
    if (key in state && state[key] !== 1) tell('1: 6.4', `${key} ${state[key]} in ${where}`)
  if ('/SMask' in state && state['/SMask'] !== '/None') tell('1: 6.4', `a mask in ${where}`)
}

const paintsDevice: Readonly<Record<string, string>> = {
  rg: '/DeviceRGB',
  RG: '/DeviceRGB',
  k: '/DeviceCMYK',
  K: '/DeviceCMYK',
  g: '/DeviceGray',
  G: '/DeviceGray',
}
const short: Readonly<Record<string, string>> = {
  '/RGB': '/DeviceRGB',
  '/G': '/DeviceGray',
  '/CMYK': '/DeviceCMYK',
}

function checkOperators(
  pdf: Structure,
  { where, operators, resources }: Content,
  device: (space: string, where: string) => void,
  space: (value: Value | undefined, where: string) => void,
  tell: Tell,
): void {
  let depth = 0
  let font: Operand | undefined
  let mode = 0
  const stack: [typeof font, number][] = []
  const named = (kind: string, name: Operand | undefined) => pdf.dict(resources[kind])?.[String(name)]
  for (const { name, operands } of operators) {
    if (!isKnown(name)) tell('6.2.2', `the operator ${name} in ${where}`)
    const used = paintsDevice[name]
    if (used !== undefined) device(used, where)
    switch (name) {
      case 'q':
        stack.push([font, mode])
        if (++depth > 28) tell('6.1.13', `q nested ${depth} deep in ${where}`)
        break
      case 'Q':
        if (--depth < 0) tell('6.2.2', `Q without q in ${where}`)
        ;[font, mode] = stack.pop() ?? [font, mode]
        break
      case 'cs':
      case 'CS': {
        const given = String(operands[0])
        space(/^\/(Device|Pattern)/.test(given) ? given : named('/ColorSpace', given), where)
        break
      }
      case 'sh':
        space(pdf.dict(named('/Shading', operands[0]))?.['/ColorSpace'], where)
        break
      case 'BI': {
        const words = (operands[0] as { words: string }).words
        const given = /\/(?:CS|ColorSpace)\s*(\/\w+)/.exec(words)?.[1]
        if (given !== undefined) device(short[given] ?? given, where)
        if (/\/(F|Filter)\s*\[?\s*\/LZW/.test(words)) tell('6.1.10', `LZW in a picture of ${where}`)
        if (/\/(I|Interpolate)\s+true/.test(words)) tell('6.2.8', `an interpolated picture in ${where}`)
        break
      }
      case 'ri':
        if (!intents.includes(String(operands[0]))) tell('6.2.6', `${operands[0]} in ${where}`)
        break
      case 'Tf':
        font = operands[0]
        break
      case 'Tr':
        mode = Number(operands[0])
        break
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        if (mode !== 3) checkFont(pdf, named('/Font', font), `${font} in ${where}`, tell)
        break
      case 'Do':
      case 'gs':
        if (named(name === 'Do' ? '/XObject' : '/ExtGState', operands[0]) === undefined)
          tell('6.2.2', `${operands[0]} in ${where} stands for nothing`)
        break
      default:
    }
  }
  if (depth > 0) tell('6.2.2', `${depth} q without Q in ${where}`)
}

/** ISO 19005-2, 6.2.11; ISO 32000-1, 9.6-9.9. */
function checkFont(pdf: Structure, value: Value | undefined, where: string, tell: Tell): undefined {
  const font = pdf.dict(value)
  if (font === undefined) return tell('6.2.11', `no font ${where}`)
  if (font['/Subtype'] === '/Type3') return
  const descendant =
    font['/Subtype'] === '/Type0' ? pdf.dict(pdf.array(font['/DescendantFonts'])[0]) : undefined
  const owner = descendant ?? font
  const about = pdf.dict(owner['/FontDescriptor'])
  const file = ['/FontFile', '/FontFile2', '/FontFile3'].map((key) => pdf.stream(about?.[key])).find(Boolean)
  if (file?.data === undefined) return tell('6.2.11.4', `${font['/BaseFont']} is not embedded (${where})`)
  for (const one of [font, owner])
    if (one['/BaseFont'] === undefined) tell('6.2.11.2', `a font without a name (${where})`)
  if (about?.['/FontName'] !== owner['/BaseFont'])
    tell('6.2.11.2', `${owner['/BaseFont']} is described as ${about?.['/FontName']}`)
  if (descendant === undefined) {
    const [first, last] = [Number(font['/FirstChar']), Number(font['/LastChar'])]
    if (pdf.array(font['/Widths']).length !== last - first + 1)
      tell('6.2.11.2', `widths of ${font['/BaseFont']} do not fit its characters`)
    const symbolic = (Number(about?.['/Flags']) & 4) !== 0
    if (font['/Subtype'] === '/TrueType' && symbolic && font['/Encoding'] !== undefined)
      tell('6.2.11.6', `${font['/BaseFont']} is symbolic and has an encoding`)
    if (font['/Subtype'] === '/TrueType' && !symbolic && font['/Encoding'] === undefined)
      tell('6.2.11.6', `${font['/BaseFont']} is not symbolic and has no encoding`)
    if (about?.['/FontFile2'] !== undefined) checkWidths(pdf, font, file.data, tell)
    return
  }
  if (descendant['/Subtype'] === '/CIDFontType2' && descendant['/CIDToGIDMap'] === undefined)
    tell('6.2.11.3.2', `${font['/BaseFont']} has no map to its glyphs`)
  const encoding = pdf.resolve(font['/Encoding'])
  if (typeof encoding === 'string' && !/^\/Identity-[HV]$/.test(encoding))
    tell('6.2.11.3.3', `the map ${encoding} is not embedded`)
}

/** Widths are those of the font program, 6.2.11.5: fonts with one map from codes to glyphs, as offices write them. */
function checkWidths(pdf: Structure, font: Dict, file: Uint8Array, tell: Tell): undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  const table = (tag: string): number | undefined => {
    for (let at = 12, left = view.getUint16(4); left > 0; left--, at += 16)
      if (Buffer.from(file.subarray(at, at + 4)).toString('latin1') === tag) return view.getUint32(at + 8)
    return undefined
  }
  const [head, hhea, hmtx, cmap] = ['head', 'hhea', 'hmtx', 'cmap'].map(table)
  if (head === undefined || hhea === undefined || hmtx === undefined)
    return tell('6.2.11.4', `${font['/BaseFont']} lacks tables`)
  if (cmap === undefined || view.getUint16(cmap + 2) !== 1) return
  const map = cmap + view.getUint32(cmap + 8)
  const glyphOf = (code: number): number | undefined => {
    if (view.getUint16(map) === 0) return view.getUint8(map + 6 + code)
    if (view.getUint16(map) !== 6) return undefined
    const at = code - view.getUint16(map + 6)
    return at >= 0 && at < view.getUint16(map + 8) ? view.getUint16(map + 10 + 2 * at) : 0
  }
  const [unitsPerEm, metrics] = [view.getUint16(head + 18), view.getUint16(hhea + 34)]
  const first = Number(font['/FirstChar'])
  for (const [at, given] of pdf.array(font['/Widths']).entries()) {
    const glyph = glyphOf(first + at)
    if (glyph === undefined || glyph === 0) continue
    const own = (view.getUint16(hmtx + 4 * Math.min(glyph, metrics - 1)) * 1000) / unitsPerEm
    if (Math.abs(own - Number(given)) > 1)
      tell('6.2.11.5', `character ${first + at} of ${font['/BaseFont']} is ${own} wide, not ${given}`)
  }
}

const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 }

function checkAnnotations(pdf: Structure, part: number, tell: Tell): void {
  const forbidden = part === 1 ? /^\/(Sound|Movie|FileAttachment|3D|Screen)$/ : /^\/(Sound|Movie|3D|Screen)$/
  for (const { dict } of pdf.pages) {
    for (const one of pdf.array(dict['/Annots'])) {
      const annotation = pdf.dict(one) ?? {}
      const kind = String(annotation['/Subtype'])
      if (forbidden.test(kind)) tell('6.3.1', `an annotation ${kind}`)
      if (kind === '/Popup') continue
      const set = Number(annotation['/F'] ?? 0)
      if ((set & flags.print) === 0) tell('6.3.2', `${kind} ${String(one)} is not printed`)
      for (const name of ['invisible', 'hidden', 'noView', 'toggleNoView'] as const)
        if ((set & flags[name]) !== 0) tell('6.3.2', `${kind} ${String(one)} is ${name}`)
      if (part === 1 && '/CA' in annotation && annotation['/CA'] !== 1)
        tell('1: 6.5.3', `${kind} is transparent`)
      const looks = pdf.dict(annotation['/AP'])
      const [left, bottom, right, top] = pdf.array(annotation['/Rect']).map(Number)
      const flat = left === right && bottom === top
      if (looks === undefined && part > 1 && kind !== '/Link' && !flat)
        tell('6.3.3', `${kind} ${String(one)} has no look`)
      for (const key of Object.keys(looks ?? {}))
        if (key !== '/N') tell('6.3.3', `${kind} has a look for ${key}`)
      if (kind === '/Widget' && ('/A' in annotation || '/AA' in annotation))
        tell('6.4.1', 'a field with an action')
    }
    if (part > 1 && '/AA' in dict) tell('6.5.2', 'a page with actions')
  }
}

const actions =
  /^\/(Launch|Sound|Movie|ResetForm|ImportData|JavaScript|Hide|SetOCGState|Rendition|Trans|GoTo3DView)$/

function checkCatalog(pdf: Structure, part: number, tell: Tell): void {
  const { catalog } = pdf
  if ('/AA' in catalog) tell('6.5.2', 'the document has actions')
  for (const key of ['/Requirements', '/NeedsRendering'])
    if (key in catalog) tell('6.4.2', `${key} in the catalogue`)
  const names = pdf.dict(catalog['/Names'])
  if (names?.['/JavaScript'] !== undefined) tell('6.5.1', 'scripts')
  if (names?.['/AlternatePresentations'] !== undefined) tell('6.10', 'other presentations')
  if (part < 3 && names?.['/EmbeddedFiles'] !== undefined) tell('6.8', 'files inside')
  if (part === 1 && '/OCProperties' in catalog) tell('1: 6.1.13', 'optional content')
  const form = pdf.dict(catalog['/AcroForm'])
  if (form?.['/NeedAppearances'] === true) tell('6.4.1', 'looks of fields are left to readers')
  if (form?.['/XFA'] !== undefined) tell('6.4.2', 'XFA')
  for (const { id, value } of pdf.things.values()) {
    const walk = (one: Value, depth: number): void => {
      if (depth > 12 || typeof one !== 'object' || one === null) return
      if (Array.isArray(one)) for (const inner of one) walk(inner, depth + 1)
      const { '/S': kind } = one as Dict
      if (typeof kind === 'string' && actions.test(kind)) tell('6.5.1', `an action ${kind} in ${id}`)
      if (kind === '/Named' && !/^\/(Next|Prev|First|Last)Page$/.test(String((one as Dict)['/N'])))
        tell('6.5.1', `a named action in ${id}`)
      if ('/JS' in one) tell('6.5.1', `a script in ${id}`)
      for (const inner of Object.values(one)) walk(inner, depth + 1)
    }
    walk(value, 0)
  }
}
