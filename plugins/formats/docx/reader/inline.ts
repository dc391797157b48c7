import { type Inline, type Link, mathInline, rubyOf } from '../../../../shared/document/document.ts'
import type { FontNames, RunProperties } from '../../../../shared/document/properties.ts'
import { authorOf, type Revision, revised as revisedRun } from '../../../../shared/document/revision.ts'
import { inPlaceOf, readControl } from './content-control.ts'
import { readInlineDrawing } from './drawing.ts'
import type { FormField } from './fields.ts'
import { tellLeftOut } from './left-out.ts'
import { readMath } from './math.ts'
import { leaders } from './paragraph-properties.ts'
import { readRunProperties } from './run-properties.ts'
import type { ReaderContext, Story } from './story.ts'
import { isOn, onOff, val } from './values.ts'
import { readPicture } from './vml.ts'

const plain: RunProperties = {}

export interface InlineState {
  readonly story: Story
  readonly inlines: Inline[]
  link?: Link
  revision?: { readonly kind: Revision; readonly author: number }
  /** Bookmarks that began in this paragraph, by their id. */
  readonly marks: Map<string, Inline>
  /** The paragraph holds equations on lines of their own. */
  mathAlign?: 'left' | 'center' | 'right'
}

/** Reads an element that may stand in a paragraph; unknown wrappers are walked through. */
export function readInline(state: InlineState, name: string): void {
  const { story } = state
  const { cursor } = story
  switch (name) {
    case 'w:r':
      readRun(state)
      break
    case 'w:pPr':
    case 'w:proofErr':
    case 'w:rPr':
    case 'w:sdtPr':
    case 'w:sdtEndPr':
    case 'w:smartTagPr':
    case 'w:customXmlPr':
      break
    case 'w:hyperlink': {
      const outer = state.link
      state.link = hyperlink(story)
      cursor.each((child) => readInline(state, child))
      state.link = outer
      break
    }
    case 'w:ins':
      within(state, 'inserted')
      break
    case 'w:moveTo':
      within(state, 'moved-here')
      break
    case 'w:del':
      within(state, 'deleted')
      break
    case 'w:moveFrom':
      within(state, 'moved-away')
      break
    case 'w:fldSimple':
      readSimpleField(state)
      break
    case 'w:bookmarkStart': {
      const bookmark = cursor.attribute('w:name')
      if (bookmark === undefined || bookmark === '_GoBack') break
      const mark: Inline = { kind: 'bookmark', name: bookmark }
      push(state, mark)
      const id = cursor.attribute('w:id')
      if (id !== undefined && state.marks.size < 1000) state.marks.set(id, mark)
      break
    }
    case 'w:bookmarkEnd':
      endBookmark(state, cursor.attribute('w:id') ?? '')
      break
    case 'w:sdt':
      readControl(story, (child) => readInline(state, child))
      break
    case 'm:oMath':
      pushMath(state, false)
      break
    case 'm:oMathPara':
      readMathParagraph(state)
      break
    case 'w:ruby':
      readRuby(state)
      break
    case 'w:bdo':
    case 'w:dir':
      readDirected(state, name)
      break
    default:
      // What wraps text in ways that are not known is walked through: nothing of the text is lost.
      if (!empty.has(name)) cursor.each((child) => readInline(state, child))
  }
}

/** Elements that hold no text of the paragraph. */
const empty = new Set([
  'w:bookmarkEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:sectPr',
  'w:tblPr',
  'w:t',
  'w:instrText',
])

/** Unicode's characters for a direction that is imposed (17.3.2.3) and one that is embedded (17.3.2.8). */
const directions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'w:bdo': { ltr: '\u202d', rtl: '\u202e' },
  'w:dir': { ltr: '\u202a', rtl: '\u202b' },
}
const endOfDirection = '\u202c'

/** Text whose direction is said: between the characters that say it, in the looks of its first and last run. */
function readDirected(state: InlineState, name: string): void {
  const { cursor } = state.story
  const start = directions[name]?.[cursor.attribute('w:val') ?? '']
  const inner: InlineState = { ...state, inlines: [] }
  cursor.each((child) => readInline(inner, child))
  const texts = inner.inlines.flatMap(({ kind }, at) => (kind === 'text' ? [at] : []))
  const [first = -1, last = -1] = [texts[0], texts.at(-1)]
  for (const [at, inline] of inner.inlines.entries()) {
    if (start === undefined || inline.kind !== 'text' || (at !== first && at !== last))
      state.inlines.push(inline)
    else {
      const text = `${at === first ? start : ''}${inline.text}${at === last ? endOfDirection : ''}`
      state.inlines.push({ ...inline, text })
    }
  }
}

/** A phonetic guide (17.3.3.25): small text over its base. */
function readRuby(state: InlineState): void {
  const { story } = state
  const { cursor } = story
  const parts: Record<string, Inline[]> = { 'w:rt': [], 'w:rubyBase': [] }
  cursor.each((child) => {
    const inlines = parts[child]
    if (inlines === undefined) return
    const inner: InlineState = { ...state, inlines }
    cursor.each((element) => readInline(inner, element))
  })
  const words = (inlines: readonly Inline[] = []): string =>
    inlines.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
  const [above, base] = [words(parts['w:rt']), words(parts['w:rubyBase'])]
  const first = parts['w:rubyBase']?.find((inline) => inline.kind === 'text')
  if (base === '') return
  push(state, rubyOf(base, above, first?.kind === 'text' ? first.run : plain, state.link))
}

/** Equations on lines of their own (22.1.2.78); centred unless they say otherwise. */
function readMathParagraph(state: InlineState): void {
  const { cursor } = state.story
  let equations = 0
  state.mathAlign = 'center'
  cursor.each((name) => {
    if (name === 'm:oMathParaPr') {
      cursor.each((property) => {
        const align = cursor.attribute('m:val')
        if (property === 'm:jc' && (align === 'left' || align === 'right')) state.mathAlign = align
      })
    } else if (name === 'm:oMath') {
      if (equations++ > 0) push(state, { kind: 'break', at: 'line', run: plain })
      pushMath(state, true)
    } else readInline(state, name)
  })
}

function pushMath(state: InlineState, display: boolean): void {
  const { cursor } = state.story
  // The formatting of the first run stands for all of the equation.
  const markup = cursor.markup()
  const halves = /<w:sz w:val="(\d{1,4})"/.exec(markup)?.[1]
  const color = /<w:color w:val="([0-9A-Fa-f]{6})"/.exec(markup)?.[1]?.toUpperCase()
  const size = halves === undefined ? undefined : Number(halves) / 2
  push(state, mathInline(readMath(cursor), { run: plain, link: state.link, display, size, color }))
}

function within(state: InlineState, kind: Revision): void {
  const outer = state.revision
  if (outer?.kind !== 'deleted') state.revision = { kind, author: authorHere(state) }
  state.story.cursor.each((child) => readInline(state, child))
  state.revision = outer
}

const authorHere = ({ story: { context, cursor } }: InlineState): number =>
  authorOf(context.authors, cursor.attribute('w:author'))

function hyperlink(story: Story): Link | undefined {
  const { cursor } = story
  const anchor = cursor.attribute('w:anchor')
  const id = cursor.attribute('r:id')
  const target = id === undefined ? undefined : story.relationships.get(id)?.target
  if (target === undefined) return anchor === undefined ? undefined : { anchor }
  if (target.startsWith('#')) return { anchor: target.slice(1) }
  return { href: anchor === undefined ? target : `${target}#${anchor}` }
}

function readSimpleField(state: InlineState): void {
  const { cursor, fields } = state.story
  fields.begin(plain, {})
  fields.instruction(cursor.attribute('w:instr') ?? '')
  fields.separate()
  cursor.each((child) => readInline(state, child))
  fields.end(state.inlines)
}

/** Remembers the text of a bookmark that ends in the paragraph it began in. */
function endBookmark({ inlines, marks, story }: InlineState, id: string): void {
  const mark = marks.get(id)
  const { bookmarks } = story.context.sources
  if (mark?.kind !== 'bookmark' || bookmarks.has(mark.name) || bookmarks.size > 100_000) return
  let text = ''
  for (const inline of inlines.slice(inlines.indexOf(mark) + 1)) {
    if (inline.kind === 'text') text += inline.text
    else if (inline.kind !== 'bookmark') return
    if (text.length > 2000) return
  }
  bookmarks.set(mark.name, text)
}

function push({ story, inlines }: InlineState, inline: Inline): void {
  const shown = story.bound === undefined ? [inline] : inPlaceOf(story.bound, inline)
  for (const one of shown) if (!story.fields.swallow(one)) inlines.push(one)
}

/** Formatting of the current run; equal markup is read once and shared. */
function runProperties(state: InlineState): RunProperties {
  const { context, cursor } = state.story
  const markup = cursor.markup()
  let run = context.runs.get(markup)
  if (run === undefined) {
    // The office suite prints text whose look was changed in bold, in the colour of who did it.
    const change = /<w:rPrChange\b[^>]*?(?:w:author="([^"]*)"|>)/.exec(markup)
    tellLeftOut(context, markup, state.story.part)
    run = readRunProperties(cursor, context.theme)
    if (change !== null) run = changedRun(run, authorOf(context.authors, change[1]), context)
    context.runs.set(markup, run)
  } else cursor.pass(markup)
  return run
}

function changedRun(run: RunProperties, author: number, { formatted }: ReaderContext): RunProperties {
  const marked = revisedRun(run, 'formatted', author)
  formatted.set(marked, run)
  return marked
}

function revised({ revision, story }: InlineState, run: RunProperties): RunProperties {
  if (revision === undefined) return run
  // What is new is marked so; that its look was changed, too, is not.
  return revisedRun(story.context.formatted.get(run) ?? run, revision.kind, revision.author)
}

function readRun(state: InlineState): void {
  const { story } = state
  const { cursor, fields } = story
  let run = revised(state, plain)
  const link = (): Link | undefined => state.link ?? fields.link
  cursor.each((name) => {
    switch (name) {
      case 'w:rPr':
        run = revised(state, runProperties(state))
        break
      case 'w:t':
      case 'w:delText':
      case 'w:pgNum':
        readText(state, run, link())
        break
      case 'w:tab':
        push(state, { kind: 'tab', run, link: link() })
        break
      case 'w:ptab': {
        const align = cursor.attribute('w:alignment')
        push(state, {
          kind: 'tab',
          run,
          link: link(),
          to: {
            align: align === 'center' || align === 'right' ? align : 'left',
            from: cursor.attribute('w:relativeTo') === 'indent' ? 'indent' : 'margin',
            leader: leaders[cursor.attribute('w:leader') ?? ''],
          },
        })
        break
      }
      case 'w:br':
        readBreak(state, run)
        break
      case 'w:cr':
        push(state, { kind: 'break', at: 'line', run })
        break
      case 'w:noBreakHyphen':
        push(state, { kind: 'text', text: '\u2011', run, link: link() })
        break
      case 'w:softHyphen':
        push(state, { kind: 'soft-hyphen', run })
        break
      case 'w:sym':
        readSymbol(state, run, link())
        break
      case 'w:fldChar': {
        const type = cursor.attribute('w:fldCharType')
        if (type === 'begin') fields.begin(run, formField(story))
        else if (type === 'separate') fields.separate()
        else if (type === 'end') fields.end(state.inlines)
        break
      }
      case 'w:instrText':
        fields.instruction(cursor.text())
        break
      case 'w:drawing': {
        const drawing = readInlineDrawing(story)
        if (drawing !== undefined) push(state, { kind: 'drawing', drawing, run, link: link() })
        break
      }
      case 'w:pict':
      case 'w:object': {
        for (const drawing of readPicture(story)) push(state, { kind: 'drawing', drawing, run, link: link() })
        break
      }
      case 'w:footnoteReference':
      case 'w:endnoteReference': {
        const id = cursor.attribute('w:id')
        const kind = name === 'w:footnoteReference' ? 'footnote' : 'endnote'
        const custom = isOn(cursor.attribute('w:customMarkFollows'))
        if (id !== undefined)
          push(state, {
            kind: 'note',
            note: `${kind}:${id}`,
            run: raised(run),
            mark: custom ? '' : undefined,
          })
        break
      }
      case 'w:footnoteRef':
      case 'w:endnoteRef':
        push(state, { kind: 'note-mark', run, replacesTab: true })
        break
      case 'w:ruby':
        readInline(state, name)
        break
    }
  })
}

const raisedRuns = new WeakMap<RunProperties, RunProperties>()
/** The mark of a note stands above the line, also where neither it nor a style says so (observed in LibreOffice). */
function raised(run: RunProperties): RunProperties {
  if (run.script !== undefined || run.style !== undefined || run.raise !== undefined) return run
  let known = raisedRuns.get(run)
  if (known === undefined) raisedRuns.set(run, (known = { ...run, script: 'super' }))
  return known
}

function readText(state: InlineState, run: RunProperties, link: Link | undefined): void {
  const { cursor, preserveSpace } = { cursor: state.story.cursor, preserveSpace: state.story.preserveSpace }
  const keep = preserveSpace || cursor.attribute('xml:space') === 'preserve'
  let text = cursor.text()
  if (!keep) text = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '')
  if (text === '') return
  if (!/[\t\n]/.test(text)) {
    push(state, { kind: 'text', text, run, link })
    return
  }
  const pieces = text.replaceAll('\n', ' ').split('\t')
  pieces.forEach((piece, index) => {
    if (index > 0) push(state, { kind: 'tab', run, link })
    if (piece !== '') push(state, { kind: 'text', text: piece, run, link })
  })
}

function readBreak(state: InlineState, run: RunProperties): void {
  const { cursor, tableDepth } = state.story
  const type = cursor.attribute('w:type')
  // Observed in LibreOffice: a page break within a table is no break at all.
  if (type === 'page' && tableDepth > 0) return
  const clear = cursor.attribute('w:clear')
  push(state, {
    kind: 'break',
    at: type === 'page' ? 'page' : type === 'column' ? 'column' : 'line',
    run,
    clear: clear === 'left' || clear === 'right' || clear === 'all' ? clear : undefined,
  })
}

/** w:sym: a character by its code in a named, most often symbolic, face. */
function readSymbol(state: InlineState, run: RunProperties, link: Link | undefined): void {
  const { cursor } = state.story
  const code = Number.parseInt(cursor.attribute('w:char') ?? '', 16)
  if (!(code > 0 && code <= 0xffff) || (code >= 0xd800 && code < 0xe000)) return
  const face = cursor.attribute('w:font')
  const fonts: FontNames =
    face === undefined ? {} : { ascii: face, other: face, eastAsia: face, complex: face }
  push(state, {
    kind: 'text',
    text: String.fromCharCode(code),
    run: { ...run, fonts: { ...run.fonts, ...fonts } },
    link,
  })
}

/** The state of a legacy check box, from the form data of its begin mark. */
function formField({ cursor }: Story): FormField {
  let check: boolean | undefined
  let choice: string | undefined
  const readCheck = (): void => {
    check = false
    let checked: boolean | undefined
    cursor.each((child) => {
      if (child === 'w:default') check = onOff(cursor)
      else if (child === 'w:checked') checked = val(cursor) === undefined ? true : onOff(cursor)
    })
    check = checked ?? check
  }
  const readList = (): void => {
    const entries: string[] = []
    let chosen: number | undefined
    cursor.each((child) => {
      const text = val(cursor) ?? ''
      if (child === 'w:listEntry' && entries.length < 1000) entries.push(text)
      else if (child === 'w:result') chosen = Number.parseInt(text, 10)
      else if (child === 'w:default') chosen ??= Number.parseInt(text, 10)
    })
    choice = entries[chosen ?? 0] ?? entries[0]
  }
  cursor.each((name) => {
    if (name !== 'w:ffData') return
    cursor.each((part) => {
      if (part === 'w:checkBox') readCheck()
      else if (part === 'w:ddList') readList()
    })
  })
  return { ...(check !== undefined && { check }), ...(choice !== undefined && { choice }) }
}
