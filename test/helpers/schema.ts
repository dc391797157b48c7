/**
 * Content models of the elements that rendering writes or changes, as far as an office program refuses a document for
 * them: which children an element may hold and in which order. Written down from ECMA-376-1 (transitional) and ODF 1.3.
 * Children of other namespaces than the model's are extensions and stand anywhere.
 */

/** Groups in order, blank separated; names joined by '|' may stand in any order. '...' anything from here on. */
type Model = Readonly<Record<string, string>>

const block = 'w:p|w:tbl|w:sdt|w:customXml|w:altChunk'
const ranges =
  'w:bookmarkStart|w:bookmarkEnd|w:commentRangeStart|w:commentRangeEnd|w:moveFromRangeStart|w:moveFromRangeEnd|w:moveToRangeStart|w:moveToRangeEnd|w:proofErr|w:permStart|w:permEnd|w:ins|w:del|w:moveFrom|w:moveTo|w:customXmlInsRangeStart|w:customXmlInsRangeEnd|w:customXmlDelRangeStart|w:customXmlDelRangeEnd'
const runs = `w:r|w:hyperlink|w:fldSimple|w:sdt|w:smartTag|w:customXml|w:subDoc|w:dir|w:bdo|${ranges}`
const edges = 'w:top w:left|w:start w:bottom w:right|w:end'
const fills = 'a:noFill|a:solidFill|a:gradFill|a:blipFill|a:pattFill|a:grpFill'
const effects = 'a:effectLst|a:effectDag'

const word: Model = {
  'w:body': `${block}|${ranges} w:sectPr`,
  'w:hdr': `${block}|${ranges}`,
  'w:ftr': `${block}|${ranges}`,
  'w:footnote': `${block}|${ranges}`,
  'w:comment': `${block}|${ranges}`,
  'w:txbxContent': `${block}|${ranges}`,
  'w:tbl': `${ranges} w:tblPr w:tblGrid w:tr|w:sdt|w:customXml|${ranges}`,
  'w:tr': `w:tblPrEx w:trPr w:tc|w:sdt|w:customXml|${ranges}`,
  'w:tc': `w:tcPr ${block}|${ranges}`,
  'w:p': `w:pPr ${runs}`,
  'w:hyperlink': runs,
  'w:pPr':
    'w:pStyle w:keepNext w:keepLines w:pageBreakBefore w:framePr w:widowControl w:numPr w:suppressLineNumbers w:pBdr w:shd w:tabs w:suppressAutoHyphens w:kinsoku w:wordWrap w:overflowPunct w:topLinePunct w:autoSpaceDE w:autoSpaceDN w:bidi w:adjustRightInd w:snapToGrid w:spacing w:ind w:contextualSpacing w:mirrorIndents w:suppressOverlap w:jc w:textDirection w:textAlignment w:textboxTightWrap w:outlineLvl w:divId w:cnfStyle w:rPr w:sectPr w:pPrChange',
  'w:rPr':
    'w:ins|w:del|w:moveFrom|w:moveTo w:rStyle|w:rFonts|w:b|w:bCs|w:i|w:iCs|w:caps|w:smallCaps|w:strike|w:dstrike|w:outline|w:shadow|w:emboss|w:imprint|w:noProof|w:snapToGrid|w:vanish|w:webHidden|w:color|w:spacing|w:w|w:kern|w:position|w:sz|w:szCs|w:highlight|w:u|w:effect|w:bdr|w:shd|w:fitText|w:vertAlign|w:rtl|w:cs|w:em|w:lang|w:eastAsianLayout|w:specVanish|w:oMath w:rPrChange',
  'w:tblPr':
    'w:tblStyle w:tblpPr w:tblOverlap w:bidiVisual w:tblStyleRowBandSize w:tblStyleColBandSize w:tblW w:jc w:tblCellSpacing w:tblInd w:tblBorders w:shd w:tblLayout w:tblCellMar w:tblLook w:tblCaption w:tblDescription w:tblPrChange',
  'w:tblBorders': `${edges} w:insideH w:insideV`,
  'w:tblCellMar': edges,
  'w:pBdr': 'w:top w:left w:bottom w:right w:between w:bar',
  'w:tblGrid': 'w:gridCol w:tblGridChange',
  'w:tcPr':
    'w:cnfStyle w:tcW w:gridSpan w:hMerge w:vMerge w:tcBorders w:shd w:noWrap w:tcMar w:textDirection w:tcFitText w:vAlign w:hideMark w:headers w:cellIns|w:cellDel|w:cellMerge w:tcPrChange',
  'w:sectPr':
    'w:headerReference|w:footerReference w:footnotePr w:endnotePr w:type w:pgSz w:pgMar w:paperSrc w:pgBorders w:lnNumType w:pgNumType w:cols w:formProt w:vAlign w:noEndnote w:titlePg w:textDirection w:bidi w:rtlGutter w:docGrid w:printerSettings w:sectPrChange',
  'w:numPr': 'w:ilvl w:numId w:numberingChange w:ins',
  'w:numbering': 'w:numPicBullet w:abstractNum w:num w:numIdMacAtCleanup',
  'w:abstractNum': 'w:nsid w:multiLevelType w:tmpl w:name w:styleLink w:numStyleLink w:lvl',
  'w:lvl':
    'w:start w:numFmt w:lvlRestart w:pStyle w:isLgl w:suff w:lvlText w:lvlPicBulletId w:legacy w:lvlJc w:pPr w:rPr',
  'w:num': 'w:abstractNumId w:lvlOverride',
  'w:styles': 'w:docDefaults w:latentStyles w:style',
  'w:style':
    'w:name w:aliases w:basedOn w:next w:link w:autoRedefine w:hidden w:uiPriority w:semiHidden w:unhideWhenUsed w:qFormat w:locked w:personal w:personalCompose w:personalReply w:rsid w:pPr w:rPr w:tblPr w:trPr w:tcPr w:tblStylePr',
  'w:sdt': 'w:sdtPr w:sdtEndPr w:sdtContent',
  'w:drawing': 'wp:inline|wp:anchor',
  'wp:inline': 'wp:extent wp:effectExtent wp:docPr wp:cNvGraphicFramePr a:graphic',
  'wp:anchor':
    'wp:simplePos wp:positionH wp:positionV wp:extent wp:effectExtent wp:wrapNone|wp:wrapSquare|wp:wrapTight|wp:wrapThrough|wp:wrapTopAndBottom wp:docPr wp:cNvGraphicFramePr a:graphic',
}

const drawing: Model = {
  'a:graphic': 'a:graphicData',
  'pic:pic': 'pic:nvPicPr pic:blipFill pic:spPr',
  'pic:blipFill': 'a:blip a:srcRect a:tile|a:stretch',
  'p:pic': 'p:nvPicPr p:blipFill p:spPr p:style p:extLst',
  'p:blipFill': 'a:blip a:srcRect a:tile|a:stretch',
  'p:sp': 'p:nvSpPr p:spPr p:style p:txBody p:extLst',
  'p:txBody': 'a:bodyPr a:lstStyle a:p',
  'a:txBody': 'a:bodyPr a:lstStyle a:p',
  'a:p': 'a:pPr a:r|a:br|a:fld a:endParaRPr',
  'a:r': 'a:rPr a:t',
  'a:rPr': `a:ln ${fills} ${effects} a:highlight a:uLnTx|a:uLn a:uFillTx|a:uFill a:latin a:ea a:cs a:sym a:hlinkClick a:hlinkMouseOver a:rtl a:extLst`,
  'a:tcPr': `a:lnL a:lnR a:lnT a:lnB a:lnTlToBr a:lnBlToTr a:cell3D ${fills} a:headers a:extLst`,
  'a:tbl': 'a:tblPr a:tblGrid a:tr',
  'a:tr': 'a:tc a:extLst',
  'a:tc': 'a:txBody a:tcPr a:extLst',
  'p:spPr': `a:xfrm a:custGeom|a:prstGeom ${fills} a:ln ${effects} a:scene3d a:sp3d a:extLst`,
  'pic:spPr': `a:xfrm a:custGeom|a:prstGeom ${fills} a:ln ${effects} a:scene3d a:sp3d a:extLst`,
  'xdr:spPr': `a:xfrm a:custGeom|a:prstGeom ${fills} a:ln ${effects} a:scene3d a:sp3d a:extLst`,
  'p:presentation':
    'p:sldMasterIdLst p:notesMasterIdLst p:handoutMasterIdLst p:sldIdLst p:sldSz p:notesSz p:smartTags p:embeddedFontLst p:custShowLst p:photoAlbum p:custDataLst p:kinsoku p:defaultTextStyle p:modifyVerifier p:extLst',
  'p:sld': 'p:cSld p:clrMapOvr p:transition p:timing p:extLst',
  'p:cSld': 'p:bg p:spTree p:custDataLst p:controls p:extLst',
  'c:ser': '...',
  'c:strCache': 'c:ptCount c:pt c:extLst',
  'c:numCache': 'c:formatCode c:ptCount c:pt c:extLst',
  'c:strRef': 'c:f c:strCache c:extLst',
  'c:numRef': 'c:f c:numCache c:extLst',
  'c:cat': 'c:multiLvlStrRef|c:numRef|c:numLit|c:strRef|c:strLit',
  'c:val': 'c:numRef|c:numLit',
  'xdr:twoCellAnchor':
    'xdr:from xdr:to xdr:sp|xdr:grpSp|xdr:graphicFrame|xdr:cxnSp|xdr:pic|xdr:contentPart xdr:clientData',
  'xdr:oneCellAnchor':
    'xdr:from xdr:ext xdr:sp|xdr:grpSp|xdr:graphicFrame|xdr:cxnSp|xdr:pic|xdr:contentPart xdr:clientData',
  'xdr:pic': 'xdr:nvPicPr xdr:blipFill xdr:spPr xdr:style',
}

const sheet: Model = {
  workbook:
    'fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups externalReferences definedNames calcPr oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst',
  styleSheet: 'numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst',
  c: 'f v is extLst',
  row: 'c extLst',
  is: 't|r rPh phoneticPr',
  si: 't|r rPh phoneticPr',
  r: 'rPr t',
  xf: 'alignment protection extLst',
  fill: 'patternFill|gradientFill',
  table: 'autoFilter sortState tableColumns tableStyleInfo extLst',
}

const blocks =
  'text:p|text:h|text:list|text:numbered-paragraph|table:table|text:section|text:soft-page-break|text:table-of-content|text:illustration-index|text:table-index|text:object-index|text:user-index|text:alphabetical-index|text:bibliography|draw:*|dr3d:*|text:change|text:change-start|text:change-end|office:annotation|office:annotation-end|form:*'
const open: Model = {
  'text:list': 'text:list-header text:list-item',
  'text:list-item': 'text:number text:p|text:h|text:list|text:soft-page-break',
  'text:list-header': 'text:number text:p|text:h|text:list|text:soft-page-break',
  'table:table-cell': `${blocks}|table:detective|table:cell-range-source|office:event-listeners`,
  'table:table-row': 'table:table-cell|table:covered-table-cell',
  'table:table-header-rows': 'table:table-row|text:soft-page-break',
  'draw:text-box': blocks,
  'office:document-content': 'office:scripts office:font-face-decls office:automatic-styles office:body',
  'office:document-styles':
    'office:font-face-decls office:styles office:automatic-styles office:master-styles',
}

const models: Model = { ...word, ...drawing, ...sheet, ...open }
const compiled = new Map<string, readonly (readonly string[])[]>()

function groupsOf(element: string): readonly (readonly string[])[] | undefined {
  const known = compiled.get(element)
  if (known !== undefined || !Object.hasOwn(models, element)) return known
  const made = models[element]!.split(' ').map((group) => group.split('|'))
  compiled.set(element, made)
  return made
}

const tag = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(\/?)([\w:.-]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/gs
const transparent = /^(?:mc:AlternateContent|mc:Choice|mc:Fallback|w:txbxContent)$/

interface Open {
  readonly name: string
  readonly groups: readonly (readonly string[])[] | undefined
  at: number // the group that the last child was in
}

/** Children where the schema has none such, or in another order; each once. */
export function schemaProblems(part: string, xml: string): string[] {
  const problems = new Set<string>()
  const stack: Open[] = []
  for (const [whole, slash, name = '', , empty] of xml.matchAll(tag)) {
    if (name === '') continue
    if (slash === '/') {
      stack.pop()
      continue
    }
    const parent = stack.at(-1)
    if (parent !== undefined) place(parent, name, (what) => problems.add(`${part}: ${what}`))
    if (empty !== '/' && !whole.endsWith('/>'))
      stack.push({ name, groups: spreadsheetOnly(name, part) ? groupsOf(name) : undefined, at: 0 })
  }
  return [...problems]
}

/** Names without a prefix are those of workbooks; relationships and content types have others. */
const spreadsheetOnly = (name: string, part: string): boolean => name.includes(':') || part.startsWith('xl/')

function place(parent: Open, child: string, problem: (what: string) => void): void {
  const { groups, name } = parent
  if (groups === undefined || transparent.test(child)) return
  const fits = (allowed: string) =>
    allowed === child || (allowed.endsWith(':*') && child.startsWith(allowed.slice(0, -1)))
  const found = groups.findIndex((group, at) => at >= parent.at && group.some(fits))
  if (found >= 0) parent.at = found
  else if (groups.some((group) => group.some(fits))) problem(`${child} out of order in ${name}`)
  else if (groups.at(-1)![0] !== '...' && isOwn(name, child)) problem(`${child} in ${name}`)
}

/** Extensions have namespaces of their own. */
const isOwn = (name: string, child: string): boolean => {
  const prefix = (text: string) => (text.includes(':') ? text.slice(0, text.indexOf(':')) : '')
  return prefix(child) === prefix(name) || known.has(prefix(child))
}
const known = new Set(['w', 'a', 'p', 'pic', 'xdr', 'wp', 'text', 'table'])
