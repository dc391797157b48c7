import type {
  DefinedCommand,
  DefinedPath,
  Guide,
  PathFill,
  ShapeDefinition,
} from '../../../../../shared/document/drawing.ts'
import { presetDefinitions } from './preset-definitions.ts'

/** The notation of each preset shape by name; filled when the first shape is drawn. */
const notations = new Map<string, string>()
/** The parsed definitions. The number of preset shapes bounds it. */
const parsed = new Map<string, ShapeDefinition>()

/** The definition of a preset shape (ECMA-376-1 20.1.10.56); undefined for an unknown name. */
export function presetShape(name: string): ShapeDefinition | undefined {
  const cached = parsed.get(name)
  if (cached !== undefined) return cached
  if (notations.size === 0)
    for (const line of presetDefinitions.trim().split('\n')) notations.set(line.split('|', 1)[0] ?? '', line)
  const notation = notations.get(name)
  if (notation === undefined) return undefined
  const definition = parsePreset(notation)
  parsed.set(name, definition)
  return definition
}

/**
 * Parses a line of `preset-definitions.ts`: name, adjust values, guides, text rectangle and paths, separated by '|'.
 * Guides are separated by ',', each a name and its formula. Paths are separated by ';': attributes as 'name=value',
 * then commands, each followed by its operands.
 */
function parsePreset(notation: string): ShapeDefinition {
  const [, adjust = '', guides = '', text = '', paths = ''] = notation.split('|')
  const [left = 'l', top = 't', right = 'r', bottom = 'b'] = text.split(' ')
  return {
    adjust: parseGuides(adjust),
    guides: parseGuides(guides),
    text: [left, top, right, bottom],
    paths: paths.split(';').map(parsePath),
  }
}

const parseGuides = (list: string): Guide[] =>
  list === ''
    ? []
    : list.split(',').map((guide) => {
        const [name = '', operator = '', ...operands] = guide.split(' ')
        return { name, operator, operands }
      })

function parsePath(text: string): DefinedPath {
  const attributes = new Map<string, string>()
  const commands: { kind: DefinedCommand['kind']; operands: string[] }[] = []
  for (const token of text.split(' ')) {
    const equals = token.indexOf('=')
    if (equals > 0) attributes.set(token.slice(0, equals), token.slice(equals + 1))
    else if (/^[MLCQAZ]$/.test(token)) commands.push({ kind: token as DefinedCommand['kind'], operands: [] })
    else commands.at(-1)?.operands.push(token)
  }
  const [width, height] = [Number(attributes.get('w') ?? 0), Number(attributes.get('h') ?? 0)]
  return {
    ...(width > 0 && { width }),
    ...(height > 0 && { height }),
    fill: (attributes.get('fill') ?? 'norm') as PathFill,
    stroked: attributes.get('stroke') !== 'false',
    commands,
  }
}
