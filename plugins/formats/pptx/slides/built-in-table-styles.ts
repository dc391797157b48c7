/**
 * Table styles that presentations name without storing them. Their definitions are those that PowerPoint stores when a
 * table uses them.
 */
const mediumStyle2: Readonly<Record<string, string>> = {
  '{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}': 'dk1',
  '{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}': 'accent1',
  '{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}': 'accent2',
  '{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}': 'accent3',
  '{00A15C55-8517-42AA-B614-E9B94910E393}': 'accent4',
  '{7DF18680-E054-41AD-8BC1-D1AEF772440D}': 'accent5',
  '{93296810-A885-4BE3-A3E7-6D5BEEA58F35}': 'accent6',
}
const tableGrid = '{5940675A-B579-460E-94D1-54222C63F5DA}'

const line = (color: string, width: number): string =>
  `<a:ln w="${width}"><a:solidFill><a:schemeClr val="${color}"/></a:solidFill></a:ln>`
const edges = (color: string, names: readonly string[], width = 12700): string =>
  `<a:tcBdr>${names.map((name) => `<a:${name}>${line(color, width)}</a:${name}>`).join('')}</a:tcBdr>`
const all = ['left', 'right', 'top', 'bottom', 'insideH', 'insideV']
const filled = (color: string, tint?: number): string =>
  `<a:fill><a:solidFill><a:schemeClr val="${color}">${tint === undefined ? '' : `<a:tint val="${tint}"/>`}</a:schemeClr></a:solidFill></a:fill>`
const text = (color: string, bold = false): string =>
  `<a:tcTxStyle${bold ? ' b="on"' : ''}><a:fontRef idx="minor"/><a:schemeClr val="${color}"/></a:tcTxStyle>`

function medium2(accent: string): string {
  const strong = (name: string, border: string): string =>
    `<a:${name}>${text('lt1', true)}<a:tcStyle>${border}${filled(accent)}</a:tcStyle></a:${name}>`
  const striped = (name: string): string =>
    `<a:${name}><a:tcStyle>${filled(accent, 40_000)}</a:tcStyle></a:${name}>`
  return (
    `<a:tblStyle><a:wholeTbl>${text('dk1')}<a:tcStyle>${edges('lt1', all)}${filled(accent, 20_000)}</a:tcStyle></a:wholeTbl>` +
    striped('band1H') +
    striped('band1V') +
    strong('lastCol', '') +
    strong('firstCol', '') +
    strong('lastRow', edges('lt1', ['top'], 38_100)) +
    strong('firstRow', edges('lt1', ['bottom'], 38_100)) +
    '</a:tblStyle>'
  )
}

/** The markup of a built-in style by its id; undefined for one that is not known. */
export function builtInTableStyle(id: string): string | undefined {
  const accent = mediumStyle2[id]
  if (accent !== undefined) return medium2(accent)
  if (id !== tableGrid) return undefined
  return `<a:tblStyle><a:wholeTbl>${text('tx1')}<a:tcStyle>${edges('tx1', all)}</a:tcStyle></a:wholeTbl></a:tblStyle>`
}
