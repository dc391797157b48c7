/** Writes the fields of forms as an AcroForm (ISO 32000-2, 12.7). */
import { type FormField, isButton } from '../../../../../shared/document/form-field.ts'
import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import type { DrawnField } from '../../layout/frame.ts'
import type { PaintedField } from './content.ts'
import { rgbOperands } from './graphics-state.ts'
import type { Structure } from './structure.ts'
import { num, reference, textString } from './syntax.ts'

export interface FormWriter {
  /** Writes the fields of a page. Returns the object numbers of their annotations. */
  add(fields: readonly PaintedField[], page: FormPage): readonly number[]
  /** Writes what fields share. Returns the entry of the catalogue, or '' for a document without fields. */
  finish(): string
}

interface FormPage {
  readonly id: number
  /** Present for a tagged PDF. */
  readonly tagged?: { readonly structure: Structure; readonly page: number } | undefined
}

/** Flags of fields, by the number of their bit minus one (tables 226, 229, 231 and 233). */
const flag = {
  readOnly: 0,
  required: 1,
  multiline: 12,
  noToggleToOff: 14,
  radio: 15,
  dropsDown: 17,
  takesText: 18,
} as const

const flagsOf = (names: readonly (keyof typeof flag)[]): number =>
  names.reduce((sum, name) => sum + 2 ** flag[name], 0)

/** Half of the border of a field lies outside of its box. pt */
const edge = 0.5
const withEdges = ([left, bottom, right, top]: PaintedField['box']): readonly number[] => [
  left - edge,
  bottom - edge,
  right + edge,
  top + edge,
]

/** The buttons of one name. One is pressed at most, so they are children of one field. */
interface ButtonGroup {
  readonly id: number
  readonly name: string
  readonly children: number[]
  readonly options: string[]
  pressed: string
  flags: number
}

/** `resources`: the object number of the resources that all contents share. */
export function createFormWriter(file: PdfFile, resources: number): FormWriter {
  const fields: number[] = []
  const groups = new Map<string, ButtonGroup>()
  const used = new Map<string, number>()

  /** Fields of the same name would share their value, so each gets its own name. */
  const uniqueName = (requested: string): string => {
    // A dot separates the levels of names (12.7.4.2).
    const name = requested.replaceAll('.', '_').trim() || 'field'
    const count = (used.get(name) ?? 0) + 1
    used.set(name, count)
    return count === 1 ? name : uniqueName(`${name}_${count}`)
  }
  const appearance = ({ box }: PaintedField, content: Uint8Array): string => {
    const area = [-edge, -edge, box[2] - box[0] + edge, box[3] - box[1] + edge].map(num).join(' ')
    return reference(
      file.stream(`/Type/XObject/Subtype/Form/BBox[${area}]/Resources ${reference(resources)}`, content),
    )
  }
  const groupOf = (field: FormField): ButtonGroup => {
    let group = groups.get(field.name)
    if (group === undefined) {
      const id = file.reserve()
      const name = uniqueName(field.name)
      group = {
        id,
        name,
        children: [],
        options: [],
        pressed: '/Off',
        flags: flagsOf(['radio', 'noToggleToOff']),
      }
      groups.set(field.name, group)
      fields.push(id)
    }
    return group
  }
  /** The entries that are specific to the kind of a field, with its appearances. */
  const bodyOf = (painted: PaintedField, id: number): string => {
    const { drawn, content, other } = painted
    const { field } = drawn
    if (!isButton(field)) {
      fields.push(id)
      return `${titleOf(field, uniqueName(field.name))}${textEntries(drawn)}/AP<</N ${appearance(painted, content)}>>`
    }
    const group = field.kind === 'radio' ? groupOf(field) : undefined
    const on = group === undefined ? '/Yes' : `/${group.children.length}`
    const state = field.isChecked === true ? on : '/Off'
    const [pressed, released] = field.isChecked === true ? [content, other] : [other, content]
    const appearances =
      `/AP<</N<<${pressed === undefined ? '' : `${on} ${appearance(painted, pressed)}`}` +
      `${released === undefined ? '' : `/Off ${appearance(painted, released)}`}>>>>/AS${state}`
    const sign = `/MK<</CA(${field.kind === 'check' ? '4' : 'l'})>>`
    if (group === undefined) {
      fields.push(id)
      return `/FT/Btn${titleOf(field, uniqueName(field.name))}/V${state}${sign}${appearances}`
    }
    group.children.push(id)
    group.options.push(field.value)
    if (field.isChecked === true) group.pressed = on
    return `/Parent ${reference(group.id)}${sign}${appearances}`
  }
  return {
    add: (paintedFields, { id: page, tagged }) =>
      paintedFields.map((painted) => {
        const id = file.reserve()
        const { field } = painted.drawn
        const { element } = painted
        const key = element && tagged?.structure.annotateField(tagged.page, id, element)
        file.set(
          id,
          `<</Type/Annot/Subtype/Widget/F 4/P ${reference(page)}/Rect[${withEdges(painted.box).map(num).join(' ')}]` +
            `${bodyOf(painted, id)}/TU${textString(field.description ?? field.name)}` +
            `${key === undefined ? '' : `/StructParent ${key}`}>>`,
        )
        return id
      }),
    finish() {
      for (const { id, name, children, options, pressed, flags } of groups.values())
        file.set(
          id,
          `<</FT/Btn/T${textString(name)}/Ff ${flags}/V${pressed}/Opt[${options.map(textString).join('')}]` +
            `/Kids[${children.map(reference).join(' ')}]>>`,
        )
      if (fields.length === 0) return ''
      // No text is drawn in these fonts, so standards do not require that they are embedded (ISO 19005-2, 6.2.11.4.1).
      const font = file.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
      const signs = file.add('<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>')
      const shared = `/DR<</Font<</Helv ${reference(font)}/ZaDb ${reference(signs)}>>>>/DA(/Helv 0 Tf 0 g)`
      return `/AcroForm<</Fields[${fields.map(reference).join(' ')}]${shared}>>`
    },
  }
}

function titleOf(field: FormField, name: string): string {
  const { isReadOnly, isRequired, isMultiline, dropsDown, takesText } = field
  const flags = flagsOf([
    ...(isReadOnly === true ? (['readOnly'] as const) : []),
    ...(isRequired === true ? (['required'] as const) : []),
    ...(isMultiline === true ? (['multiline'] as const) : []),
    ...(dropsDown === true ? (['dropsDown'] as const) : []),
    ...(takesText === true ? (['takesText'] as const) : []),
  ])
  return `/T${textString(name)}${flags === 0 ? '' : `/Ff ${flags}`}`
}

/** The entries of a text field or a list: its value, and how viewers draw a new one (12.7.4.3). */
function textEntries({ field, size, colour, fill, stroke }: DrawnField): string {
  const { kind, value, options = [], maxLength } = field
  const colours = [
    fill === undefined ? '' : `/BG[${rgbOperands(fill)}]`,
    stroke === undefined ? '' : `/BC[${rgbOperands(stroke)}]`,
  ].join('')
  return (
    `/FT/${kind === 'text' ? 'Tx' : 'Ch'}/V${textString(value)}` +
    `${kind === 'choice' ? `/Opt[${options.map(textString).join('')}]` : ''}` +
    `${maxLength === undefined ? '' : `/MaxLen ${Math.floor(maxLength)}`}` +
    `/DA(/Helv ${num(size)} Tf ${rgbOperands(colour)} rg)/MK<<${colours}>>/BS<</W 0.5>>`
  )
}
