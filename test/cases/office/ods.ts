import { odsRow, odsTable } from '../../helpers/ods.ts'

/** Spreadsheets, data, and what must come out: each sheet as rows of cells. */
export interface OdsCase {
  readonly name: string
  readonly body: string
  readonly data: unknown
  readonly grid?: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly holds?: readonly string[]
  readonly lacks?: readonly string[]
  /** Values of the first sheet as LibreOffice works them out: rows of CSV. */
  readonly csv?: readonly string[]
}

const three = { l: [{ n: 'x', q: 1 }, { n: 'y', q: 2.5 }, { n: 'z', q: 'n/a' }] }
const list = [odsRow(['{d.l[i].n}', '{d.l[i].q:formatN}', 'of:=[.B2]*2']), odsRow(['{d.l[i+1].n}'])]

export const odsCases: readonly OdsCase[] = [
  {
    name: 'typed cells, formulas above, in and below the rows',
    body: odsTable('S', odsRow(['N', 'Q', '', 'of:=SUM([.B2:.B3])']), ...list, odsRow(['', 'of:=SUM([.B2:.B2])', 'of:=[.B4]+[$S.$B$2]'])),
    data: { l: [{ n: 'x', q: 1 }, { n: 'y', q: 2.5 }] },
    grid: {
      S: [
        ["'N'", "'Q'", "''", 'of:=SUM([.B2:.B3])'],
        ["'x'", '1', 'of:=[.B2]*2'],
        ["'y'", '2.5', 'of:=[.B3]*2'],
        ["''", 'of:=SUM([.B2:.B3])', 'of:=[.B4]+[$S.$B$2]'],
      ],
    },
    csv: ['N,Q,,3.5', 'x,1,2,', 'y,2.5,5,', ',3.5,4.5,'],
  },
  {
    name: 'what is not a number is text, what is nothing is empty',
    body: odsTable('S', odsRow(['{d.a:formatN}', '{d.b:formatN}', '{d.c:formatN}', '{d.a:formatN} pcs'])),
    data: { a: 7.25, b: 'n/a & <x>' },
    grid: { S: [['7.25', "'n/a &amp; &lt;x&gt;'", "''", "'7.250 pcs'"]] },
    holds: ['<table:table-cell office:value-type="float" office:value="7.25" calcext:value-type="float"><text:p>7.25</text:p></table:table-cell>'],
    csv: ['7.25,n/a & <x>,,7.250 pcs'],
  },
  {
    name: 'data that begins as a formula does is text',
    body: odsTable('S', odsRow(['{d.l[i]}', '{d.l[i]:formatN}']), odsRow(['{d.l[i+1]}'])),
    data: { l: ['=1+1', '+1+1', '-1+1', '@SUM(1)', 'of:=1+1'] },
    grid: {
      S: [
        ["'=1+1'", "'=1+1'"],
        ["'+1+1'", "'+1+1'"],
        ["'-1+1'", "'-1+1'"],
        ["'@SUM(1)'", "'@SUM(1)'"],
        ["'of:=1+1'", "'of:=1+1'"],
      ],
    },
    lacks: ['table:formula'],
    csv: ['=1+1,=1+1', '+1+1,+1+1', '-1+1,-1+1', '@SUM(1),@SUM(1)', 'of:=1+1,of:=1+1'],
  },
  {
    name: 'rows and cells that stand for several',
    body: odsTable(
      'S',
      odsRow(['top'], ' table:number-rows-repeated="2"'),
      odsRow(['{d.t}'], ' table:number-rows-repeated="2"'),
      ...[odsRow(['{d.l[i].n}', '<table:table-cell table:number-columns-repeated="2" office:value-type="string"><text:p>{d.l[i].n}</text:p></table:table-cell>']), odsRow(['{d.l[i+1].n}'])],
      odsRow(['', 'of:=COUNTA([.A5:.A6])']),
      '<table:table-row table:number-rows-repeated="1048569"><table:table-cell table:number-columns-repeated="4"/></table:table-row>',
    ),
    data: { t: 'T', ...three },
    holds: ['table:number-rows-repeated="1048568"', 'of:=COUNTA([.A5:.A7])'],
    csv: ['top,,', 'top,,', 'T,,', 'T,,', 'x,x,x', 'y,y,y', 'z,z,z', ',3,'],
  },
  {
    name: 'references to several sheets follow the rows of each',
    body:
      odsTable('T', odsRow(['of:=SUM([$Jan.B3:$Mar.B3])', 'of:=MAX([$Jan.C1:$Mar.D1])', 'of:=SUM([$Mar.B3:$Mar.B3])'])) +
      odsTable('Jan', odsRow(['{d.l[i].n}', '{d.l[i].q:formatN}']), odsRow(['{d.l[i+1].n}']), odsRow(['', '7'])) +
      odsTable('Mar', odsRow(['']), odsRow(['']), odsRow(['', '8'])),
    data: three,
    grid: {
      T: [["of:=SUM([$'Jan'.B4];[$'Mar'.B3])", "of:=MAX([$'Jan'.C1:.D3];[$'Mar'.C1:.D1])", 'of:=SUM([$Mar.B3:$Mar.B3])']],
      Jan: [["'x'", '1'], ["'y'", '2.5'], ["'z'", "'n/a'"], ["''", "'7'"]],
      Mar: [["''"], ["''"], ["''", "'8'"]],
    },
  },
  {
    name: 'sheets repeat through aliases',
    body:
      odsTable('{$s1}', odsRow(['{#s1=d.list[i].name}{#s2=d.list[i+1].name}{d.list[i].name}', '{d.list[i].rows[i].v:formatN}']), odsRow(['', '{d.list[i].rows[i+1].v}']), odsRow(['', 'of:=SUM([.B1:.B2])'])) +
      odsTable('{$s2}', odsRow([''])) +
      odsTable('End', odsRow(['end'])),
    data: { list: [{ name: 'Jan/2024', rows: [{ v: 1 }, { v: 2 }] }, { name: 'Feb', rows: [{ v: 3 }] }, { name: 'Feb', rows: [] }] },
    grid: {
      Jan2024: [["'Jan/2024'", '1'], ["'Jan/2024'", '2'], ["''", 'of:=SUM([.B1:.B2])']],
      Feb: [["'Feb'", '3'], ["''", 'of:=SUM([.B1:.B1])']],
      'Feb (2)': [["''", 'of:=SUM([.$B$65000])']],
      End: [["'end'"]],
    },
    csv: ['Jan/2024,1', 'Jan/2024,2', ',3'],
  },
  {
    name: 'a sheet is dropped',
    body: odsTable('A', odsRow(['a{d.no:ifEM:drop(sheet)}'])) + odsTable('B', odsRow(['b'])),
    data: {},
    grid: { B: [["'b'"]] },
  },
  {
    name: 'names, filters and print ranges follow',
    body: `${odsTable('My S', odsRow(['N', 'Q']), ...list, odsRow(['', 'of:=SUM(Q)'])).replace('<table:table ', "<table:table table:print-ranges=\"'My S'.A1:'My S'.C4\" ")}<table:named-expressions><table:named-range table:name="Q" table:base-cell-address="$'My S'.$A$1" table:cell-range-address="$'My S'.$B$2:.$B$3"/></table:named-expressions><table:database-ranges><table:database-range table:name="D" table:target-range-address="'My S'.A1:'My S'.B3"/></table:database-ranges>`.replace('<table:table table:print-ranges="\'My S\'.A1:\'My S\'.C4" table:name="My S">', '<table:table table:name="My S" table:print-ranges="\'My S\'.A1:\'My S\'.C4">'),
    data: { l: [{ n: 'x', q: 1 }, { n: 'y', q: 2.5 }, { n: 'z', q: 3 }] },
    holds: [`table:print-ranges="'My S'.A1:'My S'.C5"`, `table:cell-range-address="$'My S'.$B$2:$'My S'.$B$4"`, `table:target-range-address="'My S'.A1:'My S'.B4"`],
    csv: ['N,Q,', 'x,1,2', 'y,2.5,5', 'z,3,6', ',6.5,'],
  },
  {
    name: 'cells repeat sideways',
    body: odsTable('S', odsRow(['{d.l[i].q:formatN}', '{d.l[i+1].q}', 'of:=SUM([.A1:.B1])', '<table:table-cell table:number-columns-repeated="16381"/>']), odsRow(['of:=SUM([.A1:.B1])'])),
    data: { l: [{ q: 1 }, { q: 2 }, { q: 4 }] },
    grid: { S: [['1', '2', '4', 'of:=SUM([.A1:.C1])', "''"], ['of:=SUM([.A1:.C1])']] },
    holds: ['table:number-columns-repeated="16380"'],
    csv: ['1,2,4,7', '7,,,'],
  },
  {
    name: 'cells that cover rows grow with them, inside a loop and around it',
    body:
      '<table:table table:name="S"><table:table-column table:number-columns-repeated="3"/>' +
      '<table:table-row><table:table-cell table:number-rows-spanned="5" office:value-type="string"><text:p>all</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>head</text:p></table:table-cell></table:table-row>' +
      '<table:table-row><table:covered-table-cell/><table:table-cell table:number-columns-spanned="1" table:number-rows-spanned="3" office:value-type="string"><text:p>{d.l[i].n}</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>list</text:p></table:table-cell></table:table-row>' +
      '<table:table-row><table:covered-table-cell/><table:covered-table-cell/><table:table-cell office:value-type="string"><text:p>{d.l[i].k[i]}</text:p></table:table-cell></table:table-row>' +
      '<table:table-row><table:covered-table-cell/><table:covered-table-cell/><table:table-cell office:value-type="string"><text:p>{d.l[i].k[i+1]}</text:p></table:table-cell></table:table-row>' +
      '<table:table-row><table:covered-table-cell/><table:table-cell office:value-type="string"><text:p>{d.l[i+1].n}</text:p></table:table-cell></table:table-row>' +
      '<table:table-row><table:table-cell table:number-rows-spanned="2"/></table:table-row><table:table-row><table:covered-table-cell/></table:table-row></table:table>',
    data: { l: [{ n: 'x', k: [1, 2, 3] }, { n: 'y', k: [4] }] },
    holds: ['table:number-rows-spanned="7" office', 'table:number-rows-spanned="4" office', 'table:number-rows-spanned="2" office', 'table:number-rows-spanned="2"/>'],
  },
  {
    name: 'what LibreOffice keeps inside of a sheet follows its rows: formats, names, sparklines, links, shapes',
    body: odsTable(
      'S',
      ...list,
      '<table:table-row><table:table-cell><text:p><text:a xlink:href="#S.B5">total</text:a></text:p><draw:custom-shape table:end-cell-address="S.C8"/><draw:frame table:end-cell-address="S.C8"/></table:table-cell></table:table-row>',
      odsRow(['', '']),
      odsRow(['', 'of:=SUM([.B1:.B2])']),
      '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="4"/></table:table-row>',
      '<table:table-row><table:table-cell table:number-columns-repeated="4"/></table:table-row>',
      '<table:named-expressions><table:named-range table:name="own" table:base-cell-address="$S.$A$1" table:cell-range-address="$S.$B$5"/></table:named-expressions>',
      '<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="S.B1:S.B2"><calcext:condition calcext:apply-style-name="Bad" calcext:value="&gt;[.$B$5]" calcext:base-cell-address="S.B1"/></calcext:conditional-format></calcext:conditional-formats>',
      '<calcext:sparkline-groups><calcext:sparkline-group><calcext:sparklines><calcext:sparkline calcext:cell-address="S.D1" calcext:data-range="S.B1:S.C1"/></calcext:sparklines></calcext:sparkline-group></calcext:sparkline-groups>',
    ),
    data: three,
    holds: [
      'xlink:href="#S.B6"', '<draw:custom-shape table:end-cell-address="S.C9"/>', '<draw:frame table:end-cell-address="S.C9"/>',
      'table:number-rows-repeated="1048569"', 'table:cell-range-address="$S.$B$6"', 'calcext:target-range-address="S.B1:S.B3"', 'calcext:value="&gt;[.$B$6]" calcext:base-cell-address="S.B1"',
      ...[1, 2, 3].map((row) => `<calcext:sparkline calcext:cell-address="S.D${row}" calcext:data-range="S.B${row}:S.C${row}"/>`),
    ],
  },
  {
    name: 'a chart beside the rows keeps its size, a shape around them grows',
    body: odsTable(
      'S',
      '<table:table-row><table:table-cell><text:p>top</text:p><draw:frame table:end-cell-address="S.C4"/><draw:custom-shape table:end-cell-address="S.C4"/></table:table-cell></table:table-row>',
      odsRow(['{d.l[i].n}']), odsRow(['{d.l[i+1].n}']), odsRow(['below']),
    ),
    data: three,
    holds: ['<draw:frame table:end-cell-address="S.C4"/><draw:custom-shape table:end-cell-address="S.C5"/>'],
  },
  {
    name: 'addresses on a sheet whose name holds a tag follow its rows and name',
    body:
      odsTable(
        'Prices {d.season}', odsRow(['N']), ...list, odsRow(['', 'of:=SUM([.B2:.B3])*rate']), odsRow(['', 2]),
        '<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="&apos;Prices {d.season}&apos;.B2:&apos;Prices {d.season}&apos;.B3"><calcext:condition calcext:apply-style-name="Bad" calcext:value="&gt;[.$B$5]" calcext:base-cell-address="&apos;Prices {d.season}&apos;.B2"/></calcext:conditional-format></calcext:conditional-formats>',
      ) + '<table:named-expressions><table:named-range table:name="rate" table:base-cell-address="$&apos;Prices {d.season}&apos;.$A$1" table:cell-range-address="$&apos;Prices {d.season}&apos;.$B$5"/></table:named-expressions>',
    data: { ...three, season: "It's [x]" },
    holds: [
      `table:cell-range-address="$'Prices It''s x'.$B$6"`, `calcext:target-range-address="'Prices It''s x'.B2:'Prices It''s x'.B4"`,
      'calcext:value="&gt;[.$B$6]"',
    ],
    csv: ['N,,', 'x,1,2', 'y,2.5,5', 'z,n/a,#VALUE!', ',7,', ',2,'],
  },
]
