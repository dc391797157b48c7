import { describe, expect, it } from 'vitest'
import { loadedByFormula } from '../../../../shared/office/incoming/formulas.ts'

describe('formulas of spreadsheets', () => {
  it.each([
    ['excel', 'WEBSERVICE("http://10.0.0.1/")', 'data source'],
    ['excel', '_xlfn.WEBSERVICE ("http://10.0.0.1/")', 'data source'],
    ['excel', '1+webservice(A1)', 'data source'],
    ['excel', 'RTD("a",,"b")', 'data source'],
    ['excel', '_xlfn.IMAGE("http://10.0.0.1/")', 'picture'],
    ['excel', "cmd|'/c calc'!A0", 'data source'],
    ['excel', 'soffice|topic!item', 'data source'],
    ['excel', "'C:\\a\\[b.xlsx]Sheet 1'!A1", 'table'],
    ['excel', '[b.xlsx]Sheet1!A1', 'table'],
    ['excel', "SUM(1,'http://10.0.0.1/b.xlsx'!Name)", 'table'],
    ['excel', `"'"&'C:\\[b.xlsx]S'!A1`, 'table'],
    ['excel', `INDIRECT("'file:///a.ods'#$S.A1")`, 'table'],
    ['odf', 'of:=WEBSERVICE([.A1])', 'data source'],
    ['odf', 'of:=ORG.LIBREOFFICE.WEBSERVICE([.A1])', 'data source'],
    ['odf', 'DDE("a";"b";"c")', 'data source'],
    ['odf', "of:=['file:///a.ods'#$S.A1]", 'table'],
    ['odf', "of:=['a.ods'#$S.A1]", 'table'],
    ['odf', 'of:=[http://10.0.0.1/a.ods#$S.A1]', 'table'],
    ['odf', "msoxl:='C:\\a\\[b.xlsx]S'!A1", 'table'],
  ] as const)('of %s that load something: %s', (notation, formula, kind) => {
    expect(loadedByFormula(formula, notation)).toBe(kind)
  })

  it.each([
    ['excel', "SUM('It''s [1]'!A1,Sheet2!B2)/2"],
    ['excel', "[1]Sheet1!A1+'[2]Sheet 1'!A1"], // parts of the package
    ['excel', "SUM(Table1[Total])+Sheet2!A1/'Sheet 1'!B2"],
    ['excel', "Table1[[#This Row],['#Number]]*Sheet2!A1"],
    ['excel', 'A1&"|"&Sheet2!B1&"a|b"'],
    ['excel', 'Sheet2!R[-1]C[2]*RC[1]+Sheet3!R1C1'],
    ['excel', 'MYDDE(1)+HYPERLINK("http://example.org/")+PAGEIMAGE(1)'],
    ['odf', "of:=SUM([.A1:.B2])+[$'Sheet 1'.A1]"],
    ['odf', 'of:=[.A1:.B2]![.B1:.C3]+[.#REF!]+[$S.A1:#REF!]'],
    ['odf', 'of:={1;2|3;4}*[.A1]'],
  ] as const)('of %s that load nothing: %s', (notation, formula) => {
    expect(loadedByFormula(formula, notation)).toBeUndefined()
  })

  it.each(["'", '[', '[a:', '|', "|'", '/', '[b]/', "a'!|", 'WEBSERVICE '])(
    'are read in linear time: %s many times',
    (piece) => {
      const cpu = (count: number) => {
        const from = process.cpuUsage()
        loadedByFormula(piece.repeat(count), 'odf')
        const { user, system } = process.cpuUsage(from)
        return user + system + 1_000
      }
      cpu(100_000)
      expect(cpu(500_000) / cpu(50_000)).toBeLessThan(50)
    },
  )
})
