/**
 * Reads presentations into the deck model: the presentation part, then each slide with its layout, master and theme. Read
 * `shapes.ts` next; `frames.ts` handles inheritance, `text-style.ts` the formatting of text. Source: ECMA-376-1 clause 19,
 * transitional and strict.
 */

import { type Deck, repeated, type Slide, type SlideShape } from '../../../../shared/document/deck.ts'
import type { GroupChild } from '../../../../shared/document/drawing.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { readInformation } from '../../../../shared/office/ooxml/information.ts'
import { readRelationships, targetOf } from '../../../../shared/office/ooxml/relationships.ts'
import { withEffects } from '../../../../shared/office/ooxml/shadow.ts'
import { readTheme, type Theme } from '../../../../shared/office/ooxml/theme.ts'
import { readThemeFormats, type ThemeFormats } from '../../../../shared/office/ooxml/theme-formats.ts'
import { emu, integer, isOn } from '../../../../shared/office/ooxml/values.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { openSlidePart, orUndefined } from '../reader/vocabulary.ts'
import { type Backdrop, readBackdrop } from './backdrop.ts'
import { emptyFrame, type Inheritance, readFrame, type SlideFrame } from './frames.ts'
import type { ListStyle } from './list-style.ts'
import { defaultRun, newContext, openPart, type SlideContext, type SlidePart } from './part.ts'
import { readControls, readShapes } from './shapes.ts'
import { unreadLetters } from './source-letters.ts'
import { readListStyle } from './text-style.ts'

/** The maximum number of slides that are read. The layout allows far fewer pages. */
const maxSlides = 20_000

/**
 * Reads a presentation. `parts` returns the entries of the package by name. Throws AppError 'convert.document' if there is no
 * readable slide; other damage becomes a warning.
 */
export function readDeck(parts: ReadFile): Outcome<Deck> {
  try {
    return readParts(parts)
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    throw refused(fault.message)
  }
}

const refused = (because: string): AppError =>
  new AppError('convert.document', { engine: 'The reader', from: 'pptx', because })

function readParts(parts: ReadFile): Outcome<Deck> {
  const main = targetOf(readRelationships(parts, ''), 'officeDocument') ?? 'ppt/presentation.xml'
  const listed = slidesOf(parts, main)
  if (listed.length === 0) throw refused('it has no slides')
  const context = newContext(parts, new Map(listed.map((name, at) => [name, `slide-${at + 1}`])))
  const presentation = openPart(context, main)
  if (presentation === undefined) throw refused('it has no presentation part')
  const setUp = readPresentation(presentation)
  readTableStyles(context, targetOf(presentation.relationships, 'tableStyles'))
  const reader = new DeckReader({ ...context, defaultText: new Map() }, setUp, main)
  const slides = listed.flatMap((name): Slide[] => {
    const slide = orUndefined(() => reader.slide(name))
    if (slide === undefined) warn(context, 'read.slide', 'A slide is damaged and is not drawn.')
    return slide === undefined || slide === 'hidden' ? [] : [slide]
  })
  if (slides.length === 0) throw refused('it has no slide that is shown')
  const deck: Deck = {
    slides,
    numbering: context.lists.numbering,
    run: defaultRun,
    defaultTab: 72,
    firstNumber: setUp.firstNumber,
    media: context.media,
    information: orUndefined(() => readInformation(parts)) ?? {},
    ...(context.unread.length > 0 && { unread: context.unread }),
  }
  return { value: deck, warnings: [...context.warnings.values()] }
}

/** The parts of the slides in order, each once (19.2.1.34). */
function slidesOf(parts: ReadFile, main: string): string[] {
  const relationships = readRelationships(parts, main)
  const slides = new Set<string>()
  const cursor = openSlidePart(parts(main))
  cursor?.each((name) => {
    if (name !== 'p:sldIdLst') return
    cursor.each(() => {
      const slide = relationships.get(cursor.attribute('r:id') ?? '')
      if (slide !== undefined && !slide.external && slides.size < maxSlides) slides.add(slide.target)
    })
  })
  return [...slides]
}

/** The properties that the presentation part declares for all slides (19.2.1.26). */
interface SetUp {
  readonly width: number
  readonly height: number
  readonly firstNumber: number
  /** The markup of p:defaultTextStyle is parsed with the theme of each slide. */
  readonly language?: string
}

/** The maximum side of a page in points, which is that of a PDF page (ISO 32000-1, annex C). */
const maxLength = 14_400

function readPresentation({ cursor }: SlidePart): SetUp {
  let [width, height] = [720, 540]
  const firstNumber = integer(cursor.attribute('firstSlideNum')) ?? 1
  cursor.each((name) => {
    if (name !== 'p:sldSz') return
    width = emu(cursor.attribute('cx')) ?? width
    height = emu(cursor.attribute('cy')) ?? height
  })
  const limited = (value: number): number => Math.max(7.2, Math.min(maxLength, value))
  return { width: limited(width), height: limited(height), firstNumber }
}

/** The stored table styles, as markup. */
function readTableStyles({ parts, tableStyles }: SlideContext, name: string | undefined): void {
  const cursor = orUndefined(() => openSlidePart(name === undefined ? undefined : parts(name)))
  orUndefined(() =>
    cursor?.each((child) => {
      const id = cursor.attribute('styleId')
      if (child === 'a:tblStyle' && id !== undefined && tableStyles.size < 1000)
        tableStyles.set(id, cursor.markup())
    }),
  )
}

interface ThemePart {
  readonly theme: Theme
  readonly formats: ThemeFormats
}

/** Reads slides. Layouts and masters are read once for each colour map. */
class DeckReader {
  readonly #context: SlideContext
  readonly #setUp: SetUp
  readonly #main: string
  readonly #themes = new Map<string, ThemePart>()
  readonly #frames = new Map<string, SlideFrame>()
  #drawn = 0 // slides that were read
  readonly #defaults = new Map<string, ListStyle>()
  readonly #maps = new Map<string, ReadonlyMap<string, string>>()

  constructor(context: SlideContext, setUp: SetUp, main: string) {
    this.#context = context
    this.#setUp = setUp
    this.#main = main
  }

  /** Reads p:sld (19.3.1.38); undefined if the part is missing. Throws XmlFault. */
  slide(name: string): Slide | 'hidden' | undefined {
    const { parts, anchors } = this.#context
    const relationships = readRelationships(parts, name)
    const layoutName = targetOf(relationships, 'slideLayout')
    const layoutRelations = layoutName === undefined ? undefined : readRelationships(parts, layoutName)
    const masterName = layoutRelations && targetOf(layoutRelations, 'slideMaster')
    const head = openSlidePart(parts(name))
    if (head === undefined) return undefined
    if (!isOn(head.attribute('show') ?? '1')) return 'hidden'
    const map = this.#colorMap(name) ?? this.#colorMap(layoutName) ?? this.#colorMap(masterName)
    const context = this.#themed(masterName, map)
    const key = map === undefined ? '' : JSON.stringify([...map])
    const { lines } = context
    const { ignoreFont } = lines
    const master = this.#frame(context, masterName, key)
    const layout = this.#frame(context, layoutName, key, master.backdrop)
    // Observed in LibreOffice: texts of masters and layouts do not count, and those of the first slide only there.
    lines.ignoreFont = ignoreFont && this.#drawn !== 1
    this.#drawn++
    const part = openPart(context, name)
    return part && this.#read(part, { layout, master }, anchors.get(name) ?? name)
  }

  #read(part: SlidePart, inherits: Inheritance, id: string): Slide {
    const { cursor } = part
    const { layout, master } = inherits
    const showsLayout = isOn(cursor.attribute('showMasterSp') ?? '1')
    let backdrop: Backdrop | undefined
    let shapes: readonly SlideShape[] = []
    const controls: GroupChild[] = []
    let title = ''
    cursor.each((name) => {
      if (name !== 'p:cSld') return
      cursor.each((child) => {
        if (child === 'p:bg') backdrop = readBackdrop(part)
        else if (child === 'p:spTree')
          shapes = readShapes({
            part,
            inherits,
            backdrop: backdrop ?? layout.backdrop ?? master.backdrop ?? {},
            skipsPlaceholders: false,
            onTitle: (text) => {
              if (title === '') title = text
            },
          })
        else if (child === 'p:controls') pushAll(controls, readControls({ part, skipsPlaceholders: false }))
      })
    })
    const letters = unreadLetters(part.xml, [...shapes, ...controls])
    if (letters > 0) this.#context.unread.push({ part: part.partName, letters })
    const { width, height } = this.#setUp
    return {
      id,
      width,
      height,
      title,
      ...(backdrop ?? layout.backdrop ?? master.backdrop),
      shapes: [
        ...repeated(showsLayout && layout.showsMaster ? master.shapes : []),
        ...repeated(showsLayout ? layout.shapes : []),
        ...shapes,
        ...controls,
      ],
    }
  }

  /** The colour map of a part (19.3.1.6) or its override (19.3.1.7); undefined if it has none. */
  #colorMap(name: string | undefined): ReadonlyMap<string, string> | undefined {
    if (name === undefined) return undefined
    const cached = this.#maps.get(name)
    if (cached !== undefined) return cached.size === 0 ? undefined : cached
    const map = new Map<string, string>()
    orUndefined(() => {
      const cursor = openSlidePart(this.#context.parts(name))
      const visit = (child: string): void => {
        if (child === 'p:clrMapOvr') cursor!.each(visit)
        else if (child === 'p:clrMap' || child === 'a:overrideClrMapping')
          for (const [from, to] of cursor!.attributes()) map.set(from, to)
      }
      cursor?.each(visit)
    })
    this.#maps.set(name, map)
    return map.size === 0 ? undefined : map
  }

  /** The context with the theme of a master and a colour map. */
  #themed(masterName: string | undefined, map: ReadonlyMap<string, string> | undefined): SlideContext {
    const owner = masterName ?? this.#main
    const { theme, formats } = this.#theme(owner)
    const context = { ...this.#context, theme: { ...theme, ...(map !== undefined && { map }) }, formats }
    const key = `${owner} ${map === undefined ? '' : JSON.stringify([...map])}`
    let defaultText = this.#defaults.get(key)
    if (defaultText === undefined) {
      defaultText = orUndefined(() => readDefaultText(context, this.#main)) ?? new Map()
      this.#defaults.set(key, defaultText)
    }
    return { ...context, defaultText }
  }

  #theme(owner: string): ThemePart {
    const cached = this.#themes.get(owner)
    if (cached !== undefined) return cached
    const { parts } = this.#context
    const name = targetOf(readRelationships(parts, owner), 'theme')
    const bytes = name === undefined ? undefined : parts(name)
    const read = orUndefined((): ThemePart => {
      const xml = bytes === undefined ? '' : xmlText(bytes)
      const relationships = readRelationships(parts, name ?? '')
      return { theme: withEffects(readTheme(xml), xml), formats: readThemeFormats(xml, relationships) }
    })
    const theme = read ?? { theme: this.#context.theme, formats: this.#context.formats }
    this.#themes.set(owner, theme)
    return theme
  }

  #frame(context: SlideContext, name: string | undefined, key: string, behind?: Backdrop): SlideFrame {
    if (name === undefined) return emptyFrame
    const cached = this.#frames.get(`${name} ${key}`)
    if (cached !== undefined) return cached
    const read = orUndefined(() => {
      const part = openPart(context, name)
      return (
        part &&
        readFrame(part, (inner, own) =>
          readShapes({ part: inner, skipsPlaceholders: true, backdrop: own ?? behind ?? {} }),
        )
      )
    })
    if (read === undefined) warn(context, 'read.slide-layout', 'A slide is drawn without its layout.', name)
    const frame = read ?? emptyFrame
    this.#frames.set(`${name} ${key}`, frame)
    return frame
  }
}

/** p:defaultTextStyle (19.2.1.8), read with the theme of a slide. */
function readDefaultText(context: SlideContext, main: string): ListStyle {
  const part = openPart(context, main)
  let style: ListStyle = new Map()
  part?.cursor.each((name) => {
    if (name === 'p:defaultTextStyle') style = readListStyle(part)
  })
  return style
}
