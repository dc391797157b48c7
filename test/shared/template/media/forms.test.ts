import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, odtOf } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { problemsOf } from '../../../helpers/structure.ts'

async function merge(format: string, template: Promise<Uint8Array>, data: unknown) {
  const { value, warnings } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect([await problemsOf(out), warnings]).toEqual([[], []])
  return bodyOf(out)
}

const values: readonly (readonly [value: unknown, ticked: boolean])[] = [
  [true, true],
  [false, false],
  ['x', true],
  ['', false],
  [null, false],
  [undefined, false],
  [[], true],
  [{}, true],
  [1, true],
  [0, false],
]

const control = (title: string, tag = '') =>
  `<w:sdt><w:sdtPr><w:alias w:val="${title}"/>${tag}<w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="0"/><w14:checkedState w14:val="2611" w14:font="Segoe UI Symbol"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:rPr><w:b/></w:rPr><w:t>☐</w:t></w:r></w:sdtContent></w:sdt>`
const field = (name: string, help: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="${name}"/><w:enabled/><w:helpText w:type="text" w:val="${help}"/><w:checkBox><w:sizeAuto/><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>`

describe('Word', () => {
  it.each(values)('%j', async (value, ticked) => {
    const body = await merge('docx', docxOf(`<w:p>${control('{d.ok}')}${field('Check1', '{d.ok}')}</w:p>`), {
      ok: value,
    })
    expect(/<w14:checked w14:val="(\d)"/.exec(body)?.[1]).toBe(ticked ? '1' : '0')
    expect(/<w:t>(.)<\/w:t>/.exec(body)?.[1]).toBe(ticked ? '☑' : '☐')
    expect([...body.matchAll(/<w:checked[^>]*>/g)].map(([each]) => each)).toEqual([
      `<w:checked w:val="${ticked ? 1 : 0}"/>`,
    ])
  })
  it('in the tag of a control, by a condition, in a loop; other controls stay', async () => {
    const row = (inside: string) => `<w:tr><w:tc><w:p>${inside}</w:p></w:tc></w:tr>`
    const tag = "<w:tag w:val=\"{d.l[i].n:ifGT(1):show('yes'):elseShow('')}\"/>"
    const body = `<w:tbl>${row(control('', tag))}${row('<w:r><w:t>{d.l[i+1].n}</w:t></w:r>')}</w:tbl><w:p>${control('Agreed')}</w:p>`
    const out = await merge('docx', docxOf(body), { l: [{ n: 1 }, { n: 2 }] })
    expect([...out.matchAll(/<w14:checked w14:val="(\d)"/g)].map(([, state]) => state)).toEqual([
      '0',
      '1',
      '0',
    ])
    expect(out).toContain('w:alias w:val="Agreed"')
  })
})

describe('Writer', () => {
  const form = (...controls: readonly string[]) =>
    odtOf(
      `<office:forms xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"><form:form form:name="F">${controls.join('')}</form:form></office:forms><text:p>x</text:p>`,
    )
  it.each(values)('%j', async (value, ticked) => {
    const box =
      '<form:checkbox form:current-state="checked" form:name="{d.ok}" form:id="c1" form:state="checked" form:label="OK"><form:properties/></form:checkbox>'
    const body = await merge('odt', form(box, '<form:checkbox form:name="{d.ok}" form:id="c2"/>'), {
      ok: value,
    })
    const state = ticked ? 'checked' : 'unchecked'
    expect(
      body.match(
        new RegExp(`form:name="CheckBox[12]" form:state="${state}" form:current-state="${state}"`, 'g'),
      ),
    ).toHaveLength(2)
    expect(body).not.toContain(ticked ? '"unchecked"' : '"checked"')
  })
  it('text boxes hold tags; boxes without a tag stay', async () => {
    const body = await merge(
      'odt',
      form(
        '<form:text form:name="T" form:current-value="{d.n}"/>',
        '<form:checkbox form:name="C" form:state="checked"/>',
      ),
      { n: 'a "b"' },
    )
    expect(body).toContain('form:current-value="a &quot;b&quot;"')
    expect(body).toContain('<form:checkbox form:name="C" form:state="checked"/>')
  })
})
