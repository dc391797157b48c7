/**
 * Builds the definitions of the preset shapes from presetShapeDefinitions.xml. That file belongs to ECMA-376-1 (its archive
 * OfficeOpenXML-DrawingMLGeometries.zip); the copy that is read here is in the Debian package `libapache-poi-java`.
 * `npm run generate -- preset-shapes` writes them on a machine that has the package.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import type { DefinedPath, Guide, ShapeDefinition } from '../../shared/document/drawing.ts'
import { readCustomGeometry } from '../../shared/office/ooxml/drawing/geometry.ts'
import { wordVocabulary } from '../../shared/office/ooxml/vocabulary.ts'
import { XmlCursor, xmlText } from '../../shared/xml/cursor.ts'

const target = 'plugins/engines/instant/layout/drawing/preset-definitions.ts'
const archive = '/usr/share/java/poi.jar'
const entry = 'org/apache/poi/sl/draw/geom/presetShapeDefinitions.xml'
/** Of what was written last, since the check has no source to compare with. */
const digest = '9e51ecb15f3f64b492fd48919405e06a08aa51b070f32f311b6b0b01db72c8b8'

const header = `/**
 * The preset shapes of DrawingML, one to a line, in the notation that \`preset-shape.ts\` parses. Made from
 * presetShapeDefinitions.xml of ECMA-376-1 (20.1.10.56) by \`test/run/build-preset-shapes.ts\`.
 */
export const presetDefinitions = \`
`

export function presetShapes(): ReadonlyMap<string, string> {
  const xml = unzipSync(readFileSync(archive), { filter: ({ name }) => name === entry })[entry]
  if (xml === undefined) throw new Error(`${archive} has no ${entry}.`)
  const lines: string[] = []
  const cursor = new XmlCursor(xmlText(xml), wordVocabulary)
  cursor.root()
  cursor.each((name) => {
    const definition = readCustomGeometry(cursor)
    const { text = ['l', 't', 'r', 'b'], paths } = definition
    const { adjust, guides } = usedGuides(definition, text)
    const fields = [notedGuides(adjust), notedGuides(guides), text.join(' '), paths.map(notedPath).join(';')]
    lines.push([name.replace(/^a:/, ''), ...fields].join('|'))
  })
  return new Map([[target, `${header}${lines.sort().join('\n')}\n\`\n`]])
}

/** Whether the file is no longer the one that was made. */
export function stalePresetShapes(read: (path: string) => Uint8Array | undefined): readonly string[] {
  const found = createHash('sha256')
    .update(read(target) ?? '')
    .digest('hex')
  return found === digest ? [] : [target]
}

/** Without the guides that serve only handles and connection sites, which a layout does not use. */
function usedGuides({ adjust, guides, paths }: ShapeDefinition, text: readonly string[]) {
  const used = new Set([
    ...text,
    ...paths.flatMap(({ commands }) => commands.flatMap(({ operands }) => operands)),
  ])
  const needed = guides.toReversed().filter(({ name, operands }) => {
    if (!used.has(name)) return false
    for (const operand of operands) used.add(operand)
    return true
  })
  return { adjust: adjust.filter(({ name }) => used.has(name)), guides: needed.toReversed() }
}

function notedGuides(guides: readonly Guide[]): string {
  return guides.map(({ name, operator, operands }) => [name, operator, ...operands].join(' ')).join(',')
}

function notedPath({ width, height, fill, stroked, commands }: DefinedPath): string {
  return [
    ...(width === undefined ? [] : [`w=${width}`]),
    ...(height === undefined ? [] : [`h=${height}`]),
    ...(fill === 'norm' ? [] : [`fill=${fill}`]),
    ...(stroked ? [] : ['stroke=false']),
    ...commands.flatMap(({ kind, operands }) => [kind, ...operands]),
  ].join(' ')
}
