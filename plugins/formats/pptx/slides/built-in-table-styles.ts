/**
 * Table styles that presentations refer to without storing them. Their definitions are those that PowerPoint stores when a
 * table uses them.
 */
import { entryOf } from '../../../../shared/entry-of.ts'

const line = (color: string, width: number, compound = ''): string =>
  `<a:ln w="${width}"${compound}><a:solidFill><a:schemeClr val="${color}"/></a:solidFill></a:ln>`
const double = ' cmpd="dbl"'
/** The same line on several sides of a part. */
const edges = (color: string, names: readonly string[], width = 12_700, compound = ''): string =>
  names.map((name) => `<a:${name}>${line(color, width, compound)}</a:${name}>`).join('')
const all = ['left', 'right', 'top', 'bottom', 'insideH', 'insideV']
const outside = ['left', 'right', 'top', 'bottom']
/** A colour with a transform, such as `tint` 20 %. */
const filled = (color: string, transform = ''): string =>
  `<a:fill><a:solidFill><a:schemeClr val="${color}">${transform}</a:schemeClr></a:solidFill></a:fill>`
const tint = (percent: number): string => `<a:tint val="${percent * 1000}"/>`
const shade = (percent: number): string => `<a:shade val="${percent * 1000}"/>`
const alpha = (percent: number): string => `<a:alpha val="${percent * 1000}"/>`
const text = (color: string, bold = false): string =>
  `<a:tcTxStyle${bold ? ' b="on"' : ''}><a:fontRef idx="minor"/><a:schemeClr val="${color}"/></a:tcTxStyle>`

interface PartDefinition {
  readonly text?: string
  readonly edges?: string
  readonly fill?: string
}

/** The markup of one part of a style (CT_TablePartStyle). */
const part = (name: string, { text: run = '', edges: lines = '', fill = '' }: PartDefinition): string =>
  `<a:${name}>${run}<a:tcStyle>${lines === '' ? '' : `<a:tcBdr>${lines}</a:tcBdr>`}${fill}</a:tcStyle></a:${name}>`
/** The same definition for both kinds of stripes. */
const stripes = (definition: PartDefinition): string =>
  part('band1H', definition) + part('band1V', definition)
/** The same definition for the first and the last column. */
const columns = (definition: PartDefinition): string =>
  part('lastCol', definition) + part('firstCol', definition)

/** The parts of the styles of a family, for the colour `accent`, in ascending order of precedence. */
const families = {
  themed1: (accent: string) =>
    part('wholeTbl', { text: text('dk1'), edges: edges(accent, all) }) +
    stripes({ fill: filled(accent, alpha(40)) }) +
    columns({ text: text('dk1', true), edges: edges(accent, outside) }) +
    part('lastRow', { text: text('dk1', true), edges: edges(accent, outside) }) +
    part('firstRow', { text: text('lt1', true), edges: edges(accent, outside), fill: filled(accent) }),
  themed2: (accent: string) =>
    part('wholeTbl', { text: text('lt1'), edges: edges(accent, outside), fill: filled(accent) }) +
    stripes({ fill: filled('lt1', alpha(20)) }) +
    columns({ text: text('lt1', true) }) +
    part('lastRow', { text: text('lt1', true), edges: edges('lt1', ['top']) }) +
    part('firstRow', { text: text('lt1', true), edges: edges('lt1', ['bottom']) }),
  light1: (accent: string) =>
    part('wholeTbl', { text: text('tx1'), edges: edges(accent, ['top', 'bottom']) }) +
    stripes({ fill: filled(accent, alpha(20)) }) +
    columns({ text: text('tx1', true) }) +
    part('lastRow', { text: text('tx1', true), edges: edges(accent, ['top']) }) +
    part('firstRow', { text: text('tx1', true), edges: edges(accent, ['bottom']) }),
  light2: (accent: string) =>
    part('wholeTbl', { text: text('tx1'), edges: edges(accent, outside) }) +
    part('band1H', { edges: edges(accent, ['top', 'bottom']) }) +
    part('band1V', { edges: edges(accent, ['left', 'right']) }) +
    columns({ text: text('tx1', true) }) +
    part('lastRow', { text: text('tx1', true), edges: edges(accent, ['top'], 50_800, double) }) +
    part('firstRow', { text: text('bg1', true), fill: filled(accent) }),
  light3: (accent: string) =>
    part('wholeTbl', { text: text('tx1'), edges: edges(accent, all) }) +
    stripes({ fill: filled(accent, alpha(20)) }) +
    columns({ text: text('tx1', true) }) +
    part('lastRow', { text: text('tx1', true), edges: edges(accent, ['top'], 50_800, double) }) +
    part('firstRow', { text: text(accent, true), edges: edges(accent, ['bottom'], 25_400) }),
  medium1: (accent: string) =>
    part('wholeTbl', {
      text: text('dk1'),
      edges: edges(accent, [...outside, 'insideH']),
      fill: filled('lt1'),
    }) +
    stripes({ fill: filled(accent, tint(20)) }) +
    columns({ text: text('dk1', true) }) +
    part('lastRow', {
      text: text('dk1', true),
      edges: edges(accent, ['top'], 50_800, double),
      fill: filled('lt1'),
    }) +
    part('firstRow', { text: text('lt1', true), fill: filled(accent) }),
  medium2: (accent: string) =>
    part('wholeTbl', { text: text('dk1'), edges: edges('lt1', all), fill: filled(accent, tint(20)) }) +
    stripes({ fill: filled(accent, tint(40)) }) +
    columns({ text: text('lt1', true), fill: filled(accent) }) +
    part('lastRow', { text: text('lt1', true), edges: edges('lt1', ['top'], 38_100), fill: filled(accent) }) +
    part('firstRow', {
      text: text('lt1', true),
      edges: edges('lt1', ['bottom'], 38_100),
      fill: filled(accent),
    }),
  medium3: (accent: string) =>
    part('wholeTbl', {
      text: text('dk1'),
      edges: edges('dk1', ['top', 'bottom'], 25_400),
      fill: filled('lt1'),
    }) +
    stripes({ fill: filled('dk1', tint(20)) }) +
    columns({ text: text('lt1', true), fill: filled(accent) }) +
    part('lastRow', {
      text: text('dk1', true),
      edges: edges('dk1', ['top'], 50_800, double),
      fill: filled('lt1'),
    }) +
    part('firstRow', {
      text: text('lt1', true),
      edges: edges('dk1', ['bottom'], 25_400),
      fill: filled(accent),
    }),
  medium4: (accent: string) =>
    part('wholeTbl', { text: text('dk1'), edges: edges(accent, all), fill: filled(accent, tint(20)) }) +
    stripes({ fill: filled(accent, tint(40)) }) +
    columns({ text: text('dk1', true) }) +
    part('lastRow', {
      text: text('dk1', true),
      edges: edges(accent, ['top'], 25_400),
      fill: filled(accent, tint(20)),
    }) +
    part('firstRow', { text: text(accent, true), fill: filled(accent, tint(20)) }),
  dark1: (accent: string) =>
    part('wholeTbl', { text: text('lt1'), fill: filled(accent, accent === 'dk1' ? tint(20) : '') }) +
    stripes({ fill: filled(accent, accent === 'dk1' ? tint(40) : shade(60)) }) +
    part('lastCol', {
      text: text('lt1', true),
      edges: edges('lt1', ['left'], 25_400),
      fill: filled(accent, shade(60)),
    }) +
    part('firstCol', {
      text: text('lt1', true),
      edges: edges('lt1', ['right'], 25_400),
      fill: filled(accent, shade(60)),
    }) +
    part('lastRow', {
      text: text('lt1', true),
      edges: edges('lt1', ['top'], 25_400),
      fill: filled(accent, shade(40)),
    }) +
    part('firstRow', {
      text: text('lt1', true),
      edges: edges('lt1', ['bottom'], 25_400),
      fill: filled('dk1'),
    }),
  /** Tables of one accent colour have a first row in the next one. */
  dark2: (accent: string) =>
    part('wholeTbl', { text: text('dk1'), fill: filled(accent, tint(20)) }) +
    stripes({ fill: filled(accent, tint(40)) }) +
    columns({ text: text('dk1', true) }) +
    part('lastRow', {
      text: text('dk1', true),
      edges: edges('dk1', ['top'], 50_800, double),
      fill: filled(accent, tint(20)),
    }) +
    part('firstRow', { text: text('lt1', true), fill: filled(entryOf(secondAccents, accent) ?? accent) }),
  grid: (accent: string) => part('wholeTbl', { text: text(accent), edges: edges(accent, all) }),
  none: (accent: string) => part('wholeTbl', { text: text(accent) }),
}

const secondAccents: Readonly<Record<string, string>> = {
  accent1: 'accent2',
  accent3: 'accent4',
  accent5: 'accent6',
}

/** The colours of the ids of a family, if they are not all colours in this order. */
const colors = ['dk1', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6'] as const
const accents = colors.slice(1)

/** The ids of the styles of each family, in the order of their colours. */
const ids: readonly (readonly [keyof typeof families, readonly string[], readonly string[]])[] = [
  ['none', ['tx1'], ['2D5ABB26-0587-4C30-8999-92F81FD0307C']],
  ['grid', ['tx1'], ['5940675A-B579-460E-94D1-54222C63F5DA']],
  [
    'themed1',
    accents,
    [
      '3C2FFA5D-87B4-456A-9821-1D502468CF0F',
      '284E427A-3D55-4303-BF80-6455036E1DE7',
      '69C7853C-536D-4A76-A0AE-DD22124D55A5',
      '775DCB02-9BB8-47FD-8907-85C794F793BA',
      '35758FB7-9AC5-4552-8A53-C91805E547FA',
      '08FB837D-C827-4EFA-A057-4D05807E0F7C',
    ],
  ],
  [
    'themed2',
    accents,
    [
      'D113A9D2-9D6B-4929-AA2D-F23B5EE8CBE7',
      '18603FDC-E32A-4AB5-989C-0864C3EAD2B8',
      '306799F8-075E-4A3A-A7F6-7FBC6576F1A4',
      'E269D01E-BC32-4049-B463-5C60D7B0CCD2',
      '327F97BB-C833-4FB7-BDE5-3F7075034690',
      '638B1855-1B75-4FBE-930C-398BA8C253C6',
    ],
  ],
  [
    'light1',
    accents,
    [
      '3B4B98B0-60AC-42C2-AFA5-B58CD77FA1E5',
      '0E3FDE45-AF77-4B5C-9715-49D594BDF05E',
      'C083E6E3-FA7D-4D7B-A595-EF9225AFEA82',
      'D27102A9-8310-4765-A935-A1911B00CA55',
      '5FD0F851-EC5A-4D38-B0AD-8093EC10F338',
      '68D230F3-CF80-4859-8CE7-A43EE81993B5',
    ],
  ],
  [
    'light2',
    colors,
    [
      '7E9639D4-E3E2-4D34-9284-5A2195B3D0D7',
      '69012ECD-51FC-41F1-AA8D-1B2483CD663E',
      '72833802-FEF1-4C79-8D5D-14CF1EAF98D9',
      'F2DE63D5-997A-4646-A377-4702673A728D',
      '17292A2E-F333-43FB-9621-5CBBE7FDCDCB',
      '5A111915-BE36-4E01-A7E5-04B1672EAD32',
      '912C8C85-51F0-491E-9774-3900AFEF0FD7',
    ],
  ],
  [
    'light3',
    colors,
    [
      '616DA210-FB5B-4158-B5E0-FEB733F419BA',
      'BC89EF96-8CEA-46FF-86C4-4CE0E7609802',
      '5DA37D80-6434-44D0-A028-1B22A696006F',
      '8799B23B-EC83-4686-B30A-512413B5E67A',
      'ED083AE6-46FA-4A59-8FB0-9F97EB10719F',
      'BDBED569-4797-4DF1-A0F4-6AAB3CD982D8',
      'E8B1032C-EA38-4F05-BA0D-38AFFFC7BED3',
    ],
  ],
  [
    'medium1',
    colors,
    [
      '793D81CF-94F2-401A-BA57-92F5A7B2D0C5',
      'B301B821-A1FF-4177-AEE7-76D212191A09',
      '9DCAF9ED-07DC-4A11-8D7F-57B35C25682E',
      '1FECB4D8-DB02-4DC6-A0A2-4F2EBAE1DC90',
      '1E171933-4619-4E11-9A3F-F7608DF75F80',
      'FABFCF23-3B69-468F-B69F-88F6DE6A72F2',
      '10A1B5D5-9B99-4C35-A422-299274C87663',
    ],
  ],
  [
    'medium2',
    colors,
    [
      '073A0DAA-6AF3-43AB-8588-CEC1D06C72B9',
      '5C22544A-7EE6-4342-B048-85BDC9FD1C3A',
      '21E4AEA4-8DFA-4A89-87EB-49C32662AFE0',
      'F5AB1C69-6EDB-4FF4-983F-18BD219EF322',
      '00A15C55-8517-42AA-B614-E9B94910E393',
      '7DF18680-E054-41AD-8BC1-D1AEF772440D',
      '93296810-A885-4BE3-A3E7-6D5BEEA58F35',
    ],
  ],
  [
    'medium3',
    colors,
    [
      '8EC20E35-A176-4012-BC5E-935CFFF8708E',
      '6E25E649-3F16-4E02-A733-19D2CDBF48F0',
      '85BE263C-DBD7-4A20-BB59-AAB30ACAA65A',
      'EB344D84-9AFB-497E-A393-DC336BA19D2E',
      'EB9631B5-78F2-41C9-869B-9F39066F8104',
      '74C1A8A3-306A-4EB7-A6B1-4F7E0EB9C5D6',
      '2A488322-F2BA-4B5B-9748-0D474271808F',
    ],
  ],
  [
    'medium4',
    colors,
    [
      'D7AC3CCA-C797-4891-BE02-D94E43425B78',
      '69CF1AB2-1976-4502-BF36-3FF5EA218861',
      '8A107856-5554-42FB-B03E-39F5DBC370BA',
      '0505E3EF-67EA-436B-97B2-0124C06EBD24',
      'C4B1156A-380E-4F78-BDF5-A606A8083BF9',
      '22838BEF-8BB2-4498-84A7-C5851F593DF1',
      '16D9F66E-5EB9-4882-86FB-DCBF35E3C3E4',
    ],
  ],
  [
    'dark1',
    colors,
    [
      'E8034E78-7F5D-4C2E-B375-FC64B27BC917',
      '125E5076-3810-47DD-B79F-674D7AD40C01',
      '37CE84F3-28C3-443E-9E96-99CF82512B78',
      'D03447BB-5D67-496B-8E87-E561075AD55C',
      'E929F9F4-4A8F-4326-A1B4-22849713DDAB',
      '8FD4443E-F989-4FC4-A0C8-D5A2AF1F390B',
      'AF606853-7671-496A-8E4F-DF71F8EC918B',
    ],
  ],
  [
    'dark2',
    ['dk1', 'accent1', 'accent3', 'accent5'],
    [
      '5202B0CA-FC54-4496-8BCA-5EF66A818D29',
      '0660B408-B3CF-4A94-85FC-2B1E0A45F4A2',
      '91EBBBCC-DAD2-459C-BE2E-F6DE35CF9A28',
      '46F890A9-2807-4EBB-B81D-B2AA78EC7F39',
    ],
  ],
]

const styles: ReadonlyMap<string, () => string> = new Map(
  ids.flatMap(([family, familyColors, familyIds]) =>
    familyIds.map((id, at): [string, () => string] => [
      `{${id}}`,
      () => families[family](familyColors[at] ?? 'dk1'),
    ]),
  ),
)

/** The markup of a built-in style by its id in braces; undefined for an unknown id. */
export function builtInTableStyle(id: string): string | undefined {
  const parts = styles.get(id.toUpperCase())
  return parts && `<a:tblStyle>${parts()}</a:tblStyle>`
}
