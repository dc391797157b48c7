import type { FormatId } from '../plugin/values.ts'

/** The kinds of templates of specification 4.2, with the inputs of each that are accepted. */
export interface OutputTypes {
  readonly kind: 'document' | 'spreadsheet' | 'presentation' | 'web' | 'graphics'
  readonly from: readonly FormatId[]
  /** Values of `convertTo`, in the order of the specification. */
  readonly convertTo: readonly string[]
}

const namesOf = (text: string): readonly string[] => text.trim().split(/\s+/)

/** The output types that each kind of template can be converted to, copied from the table of specification 4.2. */
export const outputTypes: readonly OutputTypes[] = [
  {
    kind: 'document',
    from: ['docx', 'doc', 'odt', 'rtf', 'txt', 'idml', 'xml'],
    convertTo:
      namesOf(`pdf docx odt bib doc doc6 doc95 docbook docx7 fodt html latex ooxml ott psw rtf stw sxw text txt uot
      xhtml jpg jpeg png epub md svg webp pages`),
  },
  {
    kind: 'spreadsheet',
    from: ['xlsx', 'xls', 'ods', 'csv'],
    convertTo:
      namesOf(`pdf xlsx ods csv dbf dif fods html ooxml ots pxl slk stc sxc uos xhtml xls xls5 xls95 xlt xlt5 xlt95
      numbers parquet`),
  },
  {
    kind: 'presentation',
    from: ['pptx', 'ppt', 'odp'],
    convertTo:
      namesOf(`pdf pptx odp bmp emf eps fodp gif html jpg met odg pbm pct pgm png ppm pwp ras sti svg svm swf sxi tiff
      uop wmf xhtml otp potm pot pps ppt webp`),
  },
  { kind: 'web', from: ['html', 'md'], convertTo: namesOf('pdf etext html10 html txt text10 text') },
  {
    kind: 'graphics',
    from: ['odg', 'pdf'],
    convertTo:
      namesOf(`bmp emf eps fodg gif html jpg met odd otg pbm pct pdf pgm png ppm ras std svg svm swf sxd tiff wmf xhtml
      webp pub cdr`),
  },
]

/** Output types that no free program writes, and why: docs/decisions/conversion-output-types.md. */
export const unwritten: ReadonlyMap<FormatId, string> = new Map([
  ['pages', 'the format of Pages is not published and no free program writes it'],
  ['psw', 'Pocket Word is gone and no free program writes its format'],
  ['pxl', 'Pocket Excel is gone and no free program writes its format'],
  ['pwp', 'PlaceWare is gone and no free program writes its format'],
  ['pub', 'the format of Publisher is not published and no free program writes it'],
  ['cdr', 'the format of CorelDRAW is not published and no free program writes it'],
  ['met', 'no free program writes metafiles of OS/2 any more'],
])
