import JSZip from 'jszip'

/** InDesign documents for tests, with the parts and the habits of those that InDesign writes. */

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const part = (kind: string, inside: string) =>
  `${head}<idPkg:${kind} xmlns:idPkg="http://ns.adobe.com/AdobeInDesign/idml/1.0/packaging" DOMVersion="18.0">${inside}</idPkg:${kind}>`

export interface IdmlParts {
  readonly stories: Readonly<Record<string, string>> // by id: what is in the story
  readonly spreads: readonly string[] // pages and what stands on them
  readonly masters?: Readonly<Record<string, string>> // by id
  readonly styles?: string // more paragraph styles
  readonly characterStyles?: string
  readonly objectStyles?: string
  readonly graphic?: string // more colours
  readonly layers?: string
  readonly files?: Readonly<Record<string, Uint8Array>>
}

export async function idmlOf(parts: IdmlParts): Promise<Uint8Array> {
  const zip = new JSZip()
  const { stories, spreads, masters = {} } = parts
  zip.file('mimetype', 'application/vnd.adobe.indesign-idml-package', { compression: 'STORE' })
  const sources = [
    '<idPkg:Graphic src="Resources/Graphic.xml"/><idPkg:Styles src="Resources/Styles.xml"/>',
    parts.layers ?? '<Layer Self="l1" Name="Layer 1" Visible="true" Printable="true"/>',
    ...Object.keys(masters).map((id) => `<idPkg:MasterSpread src="MasterSpreads/MasterSpread_${id}.xml"/>`),
    ...spreads.map((_, at) => `<idPkg:Spread src="Spreads/Spread_s${at + 1}.xml"/>`),
    '<Section Self="sec1" PageStart="p1" ContinueNumbering="true"/>',
    ...Object.keys(stories).map((id) => `<idPkg:Story src="Stories/Story_${id}.xml"/>`),
  ]
  zip.file(
    'designmap.xml',
    `${head}<?aid style="50" type="document" readerVersion="6.0" featureSet="257" product="18.0(100)" ?>\n<Document xmlns:idPkg="http://ns.adobe.com/AdobeInDesign/idml/1.0/packaging" DOMVersion="18.0" Self="d" StoryList="${Object.keys(stories).join(' ')}" Name="leaflet.indd" ZeroPoint="0 0" ActiveLayer="l1">${sources.join('')}</Document>`,
  )
  zip.file(
    'META-INF/container.xml',
    `${head}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="designmap.xml" media-type="text/xml"/></rootfiles></container>`,
  )
  zip.file('Resources/Graphic.xml', part('Graphic', colors + (parts.graphic ?? '')))
  zip.file(
    'Resources/Styles.xml',
    part(
      'Styles',
      `<RootCharacterStyleGroup Self="g1"><CharacterStyle Self="CharacterStyle/$ID/[No character style]" Name="$ID/[No character style]"/>${parts.characterStyles ?? ''}</RootCharacterStyleGroup><RootParagraphStyleGroup Self="g2">${baseStyles}${parts.styles ?? ''}</RootParagraphStyleGroup><RootObjectStyleGroup Self="g3"><ObjectStyle Self="ObjectStyle/$ID/[None]" Name="$ID/[None]" FillColor="Swatch/None" StrokeWeight="0" StrokeColor="Swatch/None"/><ObjectStyle Self="ObjectStyle/$ID/[Normal Text Frame]" Name="$ID/[Normal Text Frame]"><Properties><BasedOn type="string">$ID/[None]</BasedOn></Properties></ObjectStyle>${parts.objectStyles ?? ''}</RootObjectStyleGroup>`,
    ),
  )
  for (const [id, inside] of Object.entries(masters))
    zip.file(
      `MasterSpreads/MasterSpread_${id}.xml`,
      part(
        'MasterSpread',
        `<MasterSpread Self="${id}" ItemTransform="1 0 0 1 0 0" Name="A-Master" PageCount="1">${inside}</MasterSpread>`,
      ),
    )
  for (const [at, inside] of spreads.entries())
    zip.file(
      `Spreads/Spread_s${at + 1}.xml`,
      part(
        'Spread',
        `<Spread Self="s${at + 1}" ItemTransform="1 0 0 1 0 ${at * 800}" ShowMasterItems="true" PageCount="1">${inside}</Spread>`,
      ),
    )
  for (const [id, inside] of Object.entries(stories))
    zip.file(
      `Stories/Story_${id}.xml`,
      part(
        'Story',
        `<Story Self="${id}" AppliedTOCStyle="n" TrackChanges="false" StoryTitle="$ID/"><StoryPreference StoryOrientation="Horizontal" StoryDirection="LeftToRightDirection"/>${inside}</Story>`,
      ),
    )
  for (const [name, bytes] of Object.entries(parts.files ?? {})) zip.file(name, bytes)
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

const color = (name: string, space: string, value: string) =>
  `<Color Self="Color/${name}" Model="Process" Space="${space}" ColorValue="${value}" Name="${name}"/>`
const colors = `${color('Black', 'CMYK', '0 0 0 100')}${color('Paper', 'CMYK', '0 0 0 0')}${color('C=100 M=0 Y=0 K=0', 'CMYK', '100 0 0 0')}${color('Leaf', 'RGB', '40 140 60')}<Swatch Self="Swatch/None" Name="None"/>`
const baseStyles = `<ParagraphStyle Self="ParagraphStyle/$ID/[No paragraph style]" Name="$ID/[No paragraph style]" FillColor="Color/Black" FontStyle="Regular" PointSize="12" LeftIndent="0" FirstLineIndent="0" SpaceBefore="0" SpaceAfter="0" Justification="LeftAlign" AutoLeading="120" AppliedLanguage="$ID/English: UK"><Properties><Leading type="enumeration">Auto</Leading><AppliedFont type="string">Liberation Serif</AppliedFont></Properties></ParagraphStyle><ParagraphStyle Self="ParagraphStyle/$ID/NormalParagraphStyle" Name="$ID/NormalParagraphStyle"><Properties><BasedOn type="string">$ID/[No paragraph style]</BasedOn></Properties></ParagraphStyle>`

/** A page whose top left corner is at x, y of its spread; sizes in points. */
export const page = (id: string, width: number, height: number, more = '', x = 0, y = -height / 2) =>
  `<Page Self="${id}" GeometricBounds="0 0 ${height} ${width}" ItemTransform="1 0 0 1 ${x} ${y}" Name="${id.slice(1)}" ${more.includes('AppliedMaster') ? '' : 'AppliedMaster="n" '}MasterPageTransform="1 0 0 1 0 0" ${more}><MarginPreference Top="36" Bottom="36" Left="36" Right="36"/></Page>`

/** The outline of a box: left, top, right, bottom, in the coordinates of the item itself. */
export const box = (left: number, top: number, right: number, bottom: number) =>
  outline([
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
  ])
type Point = readonly [x: number, y: number]
export const outline = (
  points: readonly (Point | readonly [at: Point, left: Point, right: Point])[],
  open = false,
) =>
  `<PathGeometry><GeometryPathType PathOpen="${open}"><PathPointArray>${points
    .map((point) => {
      const [at, left, right] = (typeof point[0] === 'number' ? [point, point, point] : point) as readonly [
        Point,
        Point,
        Point,
      ]
      return `<PathPointType Anchor="${at.join(' ')}" LeftDirection="${left.join(' ')}" RightDirection="${right.join(' ')}"/>`
    })
    .join('')}</PathPointArray></GeometryPathType></PathGeometry>`

/** Anything with an outline: `Rectangle`, `Oval`, `Polygon`, `GraphicLine`, `TextFrame`. */
export const item = (
  kind: string,
  id: string,
  shape: string,
  {
    at = [1, 0, 0, 1, 0, 0],
    attributes = '',
    properties = '',
    inside = '',
  }: {
    readonly at?: readonly number[]
    readonly attributes?: string
    readonly properties?: string
    readonly inside?: string
  } = {},
) =>
  `<${kind} Self="${id}" ItemLayer="l1" ${attributes.includes('Visible') ? '' : 'Visible="true" '}ItemTransform="${at.join(' ')}" ${attributes}><Properties>${shape}${properties}</Properties>${inside}</${kind}>`

export const textFrame = (
  id: string,
  story: string,
  shape: string,
  {
    previous = 'n',
    next = 'n',
    ...more
  }: Parameters<typeof item>[3] & { previous?: string; next?: string } = {},
) =>
  item('TextFrame', id, shape, {
    ...more,
    attributes: `ParentStory="${story}" PreviousTextFrame="${previous}" NextTextFrame="${next}" ContentType="TextType" AppliedObjectStyle="ObjectStyle/$ID/[Normal Text Frame]" ${more.attributes ?? ''}`,
  })

export const paragraph = (
  ranges: string,
  style = '$ID/NormalParagraphStyle',
  attributes = '',
  properties = '',
) =>
  `<ParagraphStyleRange AppliedParagraphStyle="ParagraphStyle/${style}" ${attributes}>${properties === '' ? '' : `<Properties>${properties}</Properties>`}${ranges}</ParagraphStyleRange>`
export const range = (content: string, attributes = '', style = '$ID/[No character style]') =>
  `<CharacterStyleRange AppliedCharacterStyle="CharacterStyle/${style}" ${attributes}>${content}</CharacterStyleRange>`
export const text = (words: string) => `<Content>${words}</Content>`

export const styleOf = (
  name: string,
  attributes: string,
  properties = '',
  basedOn = '$ID/NormalParagraphStyle',
) =>
  `<ParagraphStyle Self="ParagraphStyle/${name}" Name="${name}" ${attributes}><Properties><BasedOn type="object">ParagraphStyle/${basedOn}</BasedOn>${properties}</Properties></ParagraphStyle>`
export const font = (name: string) => `<AppliedFont type="string">${name}</AppliedFont>`

/** Pages of a leaflet in A5: a master with page numbers, a title, text through three frames, shapes, a picture, a table. */
export async function leaflet(picture: Uint8Array): Promise<Uint8Array> {
  const [width, height] = [419.53, 595.28]
  const words =
    'Quinces want a warm wall and little else. They are picked late, after the first cold night, and kept apart from apples, which take on their smell. '
  const encoded = Buffer.from(picture).toString('base64')
  const top = -height / 2
  const circle = (x: number, y: number, r: number) => {
    const k = r * 0.5523
    return outline([
      [
        [x, y - r],
        [x + k, y - r],
        [x - k, y - r],
      ],
      [
        [x - r, y],
        [x - r, y - k],
        [x - r, y + k],
      ],
      [
        [x, y + r],
        [x - k, y + r],
        [x + k, y + r],
      ],
      [
        [x + r, y],
        [x + r, y + k],
        [x + r, y - k],
      ],
    ])
  }
  return idmlOf({
    styles:
      styleOf(
        'Title',
        'PointSize="28" FontStyle="Bold" Justification="CenterAlign" FillColor="Color/Leaf"',
        font('Liberation Sans'),
      ) +
      styleOf(
        'Body',
        'PointSize="11" Justification="LeftJustified" FirstLineIndent="12" SpaceAfter="4"',
        '<Leading type="unit">14</Leading>',
      ) +
      styleOf(
        'Points',
        'PointSize="11" BulletsAndNumberingListType="BulletList" LeftIndent="14" FirstLineIndent="-14"',
      ),
    characterStyles:
      '<CharacterStyle Self="CharacterStyle/Strong" Name="Strong" FontStyle="Bold"><Properties><BasedOn type="string">$ID/[No character style]</BasedOn></Properties></CharacterStyle>',
    masters: {
      m1:
        page('pm', width, height) +
        textFrame('fm', 'foot', box(36, top + height - 40, width - 36, top + height - 20)),
    },
    layers:
      '<Layer Self="l1" Name="Layer 1" Visible="true" Printable="true"/><Layer Self="l2" Name="Notes" Visible="false" Printable="true"/>',
    spreads: [
      page('p1', width, height, 'AppliedMaster="m1"') +
        item('Rectangle', 'r1', box(0, top, width, top + 90), {
          attributes: 'FillColor="Color/C=100 M=0 Y=0 K=0" FillTint="20" StrokeWeight="0"',
        }) +
        textFrame('f1', 'title', box(36, top + 24, width - 36, top + 70)) +
        textFrame('f2', 'body', box(36, top + 110, width - 36, top + 300), {
          next: 'f3',
          inside: '<TextFramePreference TextColumnCount="2" TextColumnGutter="14"/>',
        }) +
        item('Oval', 'o1', circle(90, top + 380, 50), {
          attributes: 'FillColor="Color/Leaf" StrokeColor="Color/Black" StrokeWeight="2"',
        }) +
        item(
          'GraphicLine',
          'g1',
          outline(
            [
              [160, top + 330],
              [380, top + 330],
            ],
            true,
          ),
          {
            attributes: 'StrokeColor="Color/Black" StrokeWeight="1.5"',
          },
        ) +
        item('Rectangle', 'i1', box(0, 0, 120, 80), {
          at: [1, 0, 0, 1, 180, top + 350],
          attributes: 'StrokeColor="Color/Black" StrokeWeight="1" ContentType="GraphicType"',
          inside: `<Image Self="im1" ItemTransform="12 0 0 12 0 0"><Properties><GraphicBounds Left="0" Top="0" Right="10" Bottom="10"/><Contents><![CDATA[${encoded}]]></Contents></Properties><Link LinkResourceURI="file:/pictures/quince.png"/></Image>`,
        }) +
        textFrame('f4', 'turned', box(0, 0, 120, 20), {
          at: [0.9397, -0.342, 0.342, 0.9397, 60, top + 500],
        }) +
        item('TextFrame', 'f9', box(36, top, 200, top + 60), {
          attributes: 'ParentStory="hidden" ItemLayer2="l2" Visible="false"',
        }),
      page('p2', width, height, 'AppliedMaster="m1"') +
        textFrame('f3', 'body', box(36, top + 40, width - 36, top + 260), {
          previous: 'f2',
          attributes: 'FillColor="Color/Paper" StrokeColor="Color/Black" StrokeWeight="0.5"',
          inside:
            '<TextFramePreference><Properties><InsetSpacing type="list"><ListItem type="unit">8</ListItem><ListItem type="unit">8</ListItem><ListItem type="unit">8</ListItem><ListItem type="unit">8</ListItem></InsetSpacing></Properties></TextFramePreference>',
        }) +
        textFrame('f5', 'table', box(36, top + 280, width - 36, top + 420)) +
        item(
          'Polygon',
          'y1',
          outline([
            [60, top + 500],
            [110, top + 440],
            [160, top + 500],
          ]),
          {
            attributes: 'FillColor="Color/C=100 M=0 Y=0 K=0" StrokeWeight="0"',
          },
        ),
    ],
    stories: {
      title: paragraph(range(text('Quinces of the North')), 'Title'),
      body:
        paragraph(
          range(text(words.repeat(2))) +
            range(text('Nobody eats them raw.'), '', 'Strong') +
            range(`${text(` ${words}`)}<Br/>${text(words.repeat(3))}<Br/>`) +
            range(text('In italics, '), 'FontStyle="Italic"') +
            range(`${text(words.repeat(5))}<Br/>`),
          'Body',
        ) +
        paragraph(range(`${text('Vranja, from Serbia')}<Br/>${text('Champion, early')}<Br/>`), 'Points') +
        paragraph(range(text('The last words of the story.')), 'Body'),
      turned: paragraph(range(text('Picked late'), 'FillColor="Color/Leaf" PointSize="14"')),
      hidden: paragraph(range(text('Only for the printer'))),
      foot: paragraph(
        range(`${text('Page ')}<Content><?ACE 18?></Content>`, 'PointSize="9"'),
        '$ID/NormalParagraphStyle',
        'Justification="CenterAlign"',
      ),
      table: paragraph(
        range(
          `<Table Self="t1" HeaderRowCount="1" FooterRowCount="0" BodyRowCount="2" ColumnCount="3" AppliedTableStyle="TableStyle/$ID/[Basic Table]"><Row Self="t1r0" Name="0" SingleRowHeight="22"/><Row Self="t1r1" Name="1" SingleRowHeight="22"/><Row Self="t1r2" Name="2" SingleRowHeight="22"/><Column Self="t1c0" Name="0" SingleColumnWidth="140"/><Column Self="t1c1" Name="1" SingleColumnWidth="100"/><Column Self="t1c2" Name="2" SingleColumnWidth="100"/>${[
            ['0:0', 'Sort', 1],
            ['1:0', 'Month', 1],
            ['2:0', 'Kilograms', 1],
            ['0:1', 'Vranja', 1],
            ['1:1', 'October', 1],
            ['2:1', '4711', 1],
            ['0:2', 'Weighed in the yard', 3],
          ]
            .map(
              ([name, words, span]) =>
                `<Cell Self="t1${name}" Name="${name}" RowSpan="1" ColumnSpan="${span}"${String(name).endsWith(':0') ? ' FillColor="Color/Leaf" FillTint="40"' : ''}>${paragraph(range(text(String(words)), String(name).endsWith(':0') ? 'FontStyle="Bold"' : ''))}</Cell>`,
            )
            .join('')}</Table>`,
        ),
      ),
    },
  })
}
