import { describe, expect, it } from 'vitest'
import { pdfStageOptions, splitPdfOptions } from '../../../../shared/pdf/stage/options.ts'
import { titled } from '../../../helpers/titled.ts'

const mark = (more: object) => ({ Watermarks: [{ text: 'x', ...more }] })

describe('options that are refused', () => {
  it.each(
    titled([
      [{ EncryptFile: 'yes' }, 'Invalid option EncryptFile: must be true or false.'],
      [{ EncryptFile: true }, 'DocumentOpenPassword: must be given with EncryptFile'],
      [{ EncryptFile: true, DocumentOpenPassword: '' }, 'DocumentOpenPassword: must be given'],
      [{ EncryptFile: true, DocumentOpenPassword: 7 }, 'DocumentOpenPassword: must be a string'],
      [{ EncryptFile: true, DocumentOpenPassword: 'a\nb' }, 'characters that a PDF password cannot have'],
      [{ RestrictPermissions: true }, 'PermissionPassword: must be given with RestrictPermissions'],
      [
        { EncryptFile: true, DocumentOpenPassword: 'a', RestrictPermissions: true, PermissionPassword: 'a' },
        'PermissionPassword: must differ from DocumentOpenPassword',
      ],
      [{ Changes: 5 }, 'Changes: must be an integer from 0 to 4'],
      [{ Printing: 1.5 }, 'Printing: must be an integer from 0 to 2'],
      [{ EnableCopyingOfContent: 0 }, 'EnableCopyingOfContent: must be true or false'],
      [{ Watermark: 7 }, 'Watermark: must be a string'],
      [{ Watermark: 'x'.repeat(2001) }, 'Watermark: must be at most 2000 characters long'],
      [{ Watermarks: 'x' }, 'Watermarks: must be a list of at most 4'],
      [{ Watermarks: [1, 2, 3, 4, 5].map(() => ({ text: 'x' })) }, 'Watermarks: must be a list of at most 4'],
      [{ Watermarks: ['x'] }, 'Watermarks[0]: must be an object'],
      [{ Watermarks: [{}] }, 'Watermarks[0].text: must be given'],
      [mark({ text: '' }), 'Watermarks[0].text: must be a text of 1 to 2000'],
      [mark({ text: 'x'.repeat(2001) }), 'Watermarks[0].text: must be a text of 1 to 2000'],
      [mark({ anchor: 'middle' }), 'Watermarks[0].anchor: must be one of topLeft, top'],
      [mark({ offsetX: '1' }), 'Watermarks[0].offsetX: must be a number'],
      [mark({ offsetY: Number.NaN }), 'Watermarks[0].offsetY: must be a number'],
      [mark({ rotation: 361 }), 'Watermarks[0].rotation: must be a number between -360 and 360'],
      [mark({ anchor: 'top', rotation: 45 }), 'Watermarks[0].rotation: must be 0, 90 or -90'],
      [mark({ color: 'red' }), 'Watermarks[0].color: must be a color such as #F00'],
      [mark({ size: 0.5 }), 'Watermarks[0].size: must be a number between 1 and 2000'],
      [mark({ opacity: 1.1 }), 'Watermarks[0].opacity: must be a number between 0 and 1'],
      [mark({ font: 'Arial' }), 'Watermarks[0].font: must be one of Courier'],
      [mark({ fromPage: 0 }), 'Watermarks[0].fromPage: must be an integer'],
      [mark({ fromPage: 3, toPage: 2 }), 'Watermarks[0].toPage: must not come before fromPage'],
      [mark({ colour: '#fff' }), 'Watermarks[0].colour: is not a property of a watermark'],
      [{ PageRange: '' }, 'PageRange: must be a list of pages such as 1-3,5,7-'],
      [{ PageRange: '0' }, 'PageRange: must be a list of pages'],
      [{ PageRange: 3 }, 'PageRange: must be a list of pages'],
      [{ PageRange: '1-2-3' }, 'PageRange: must be a list of pages'],
      [
        { SelectPdfVersion: 2, EncryptFile: true, DocumentOpenPassword: 'a' },
        'EncryptFile: cannot be combined with PDF/A',
      ],
      [
        { SelectPdfVersion: 1, RestrictPermissions: true, PermissionPassword: 'a' },
        'RestrictPermissions: cannot be combined',
      ],
      [{ SelectPdfVersion: 3, ...mark({}) }, 'Watermarks: cannot be combined with PDF/A'],
      [{ PDFUACompliance: true, Watermark: 'x' }, 'Watermark: cannot be combined with PDF/UA'],
      [
        {
          PDFUACompliance: true,
          RestrictPermissions: true,
          PermissionPassword: 'a',
          EnableTextAccessForAccessibilityTools: false,
        },
        'EnableTextAccessForAccessibilityTools: must be true for PDF/UA',
      ],
    ]),
  )('%s', (_title, options, message) => {
    expect(() => splitPdfOptions(options)).toThrow(message)
  })
})

describe('what the stage takes and what the engine gets', () => {
  it('leaves the engine what is its own', () => {
    const { stage, engine } = splitPdfOptions({
      ExportNotes: false,
      Watermark: 'x',
      EncryptFile: false,
      PageRange: null,
    })
    expect(engine).toEqual({ ExportNotes: false })
    expect(stage?.watermarks).toHaveLength(1)
    expect(stage?.security).toBeUndefined()
  })
  it('has nothing to do for options that say nothing', () => {
    const options = {
      EncryptFile: false,
      RestrictPermissions: false,
      Watermark: '',
      Watermarks: [],
      Changes: 4,
    }
    expect(splitPdfOptions(options)).toEqual({ engine: {}, warnings: [] })
  })
  it('leaves page ranges and archive watermarks to an engine that knows them', () => {
    const knows = () => true
    expect(splitPdfOptions({ PageRange: '1' }, knows)).toMatchObject({ engine: { PageRange: '1' } })
    expect(splitPdfOptions({ Watermark: 'x' }, knows).engine).toEqual({})
    const archive = { Watermark: 'x', SelectPdfVersion: 1 }
    expect(splitPdfOptions(archive, knows)).toMatchObject({
      engine: archive,
      stage: { watermarks: [], archive: true },
    })
  })
  it('warns about options without effect', () => {
    const { warnings } = splitPdfOptions({
      DocumentOpenPassword: 'a',
      PermissionPassword: 'b',
      Printing: 0,
      Changes: 4,
    })
    expect(warnings.map(({ message }) => message)).toEqual([
      'Option DocumentOpenPassword has no effect without EncryptFile.',
      'Option PermissionPassword has no effect without RestrictPermissions.',
      'Option Printing has no effect without RestrictPermissions.',
    ])
  })
  it('fills in the defaults of a watermark', () => {
    const { stage } = splitPdfOptions({
      Watermarks: [{ text: 'a' }, { text: 'b', anchor: 'left', color: '#F80' }],
    })
    expect(stage?.watermarks).toMatchObject([
      {
        anchor: 'center',
        rotation: 45,
        size: 'auto',
        opacity: 0.1,
        font: 'Helvetica',
        color: [0, 0, 0],
        fromPage: 1,
      },
      {
        anchor: 'left',
        rotation: 0,
        size: 12,
        opacity: 1,
        color: [1, 136 / 255, 0],
        toPage: Number.POSITIVE_INFINITY,
      },
    ])
  })
  it('describes itself', () => {
    expect(Object.keys(pdfStageOptions.json['properties'] as object)).toContain('Watermarks')
    expect(pdfStageOptions.parse([])).toMatchObject({ ok: false })
  })
})
