import { describe, expect, it } from 'vitest'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { fixture } from '../cases/hostile/conversions.ts'
import { useServices } from '../helpers/origin-services.ts'
import { type PdfFile, pdfFile } from '../plugins/engines/libreoffice/pdf-files.ts'

const services = useServices({ warm: true })

const page = `<title>Page</title>${[1, 2, 3].map((at) => `<h1 style="break-before:page">Chapter ${at}</h1>`).join('')}`
/** Specification 4.9: options of security and watermarks hold for every engine; those of pages and viewers do here too. */
const engines = [
  ['L', 'docx', () => fixture('corpus/suffolklitlab__CompelDiscoveryWithInstructions.docx')],
  ['I', 'docx', () => fixture('corpus/suffolklitlab__CompelDiscoveryWithInstructions.docx')],
  ['O', 'docx', () => fixture('corpus/suffolklitlab__CompelDiscoveryWithInstructions.docx')],
  ['C', 'html', () => new TextEncoder().encode(page)],
] as const

type Check = (file: PdfFile) => void
const reported =
  (tool: string, expression: RegExp, ...args: readonly string[]): Check =>
  (file) =>
    expect(file.ask(tool, ...args)).toMatch(expression)
const has =
  (expression: RegExp): Check =>
  ({ text }) =>
    expect(text).toMatch(expression)

const cases: readonly (readonly [what: string, options: Record<string, unknown>, ...Check[]])[] = [
  [
    'four watermarks with all of their properties, chosen pages, how a viewer opens it',
    {
      PageRange: '2-3',
      Watermarks: [
        { text: 'MIDDLE' },
        { text: '{#PAGE_NUMBER}of{#PAGE_TOTAL}', anchor: 'bottomRight', offsetX: -20, offsetY: 20 },
        { text: 'SIDE', anchor: 'left', rotation: 90, color: '#f00', size: 30, opacity: 0.5 },
        { text: 'LATE', anchor: 'top', font: 'Courier-Bold', fromPage: 2, toPage: 2 },
      ],
      InitialPage: 2,
      Magnification: 1,
      InitialView: 2,
      PageLayout: 3,
      FirstPageOnLeft: true,
      HideViewerToolbar: true,
      HideViewerMenubar: true,
      HideViewerWindowControls: true,
      CenterWindow: true,
      ResizeWindowToInitialPage: true,
    },
    reported('pdfinfo', /^Pages: +2$/m),
    reported('pdftotext', /1of2[\s\S]*\f[\s\S]*2of2/, '-'),
    reported('pdftotext', /^[^\f]*\f[^\f]*LATE/, '-'),
    (file) => expect(file.ask('pdftotext', '-l', '1', '-')).not.toContain('LATE'),
    has(/\/BaseFont \/Courier-Bold/),
    has(/\/ca 0?\.5\b/),
    has(/\/ca 0?\.1\b/),
    has(/1 0 0 rg/),
    has(/\/OpenAction \[\s*\d+ 0 R\s*\/Fit\s*\]/),
    has(/\/PageMode \/UseThumbs/),
    has(/\/PageLayout \/TwoColumnLeft/),
    ...['HideToolbar', 'HideMenubar', 'HideWindowUI', 'CenterWindow', 'FitWindow'].map((name) =>
      has(new RegExp(`/${name} true`)),
    ),
  ],
  [
    'both passwords and permissions',
    {
      EncryptFile: true,
      DocumentOpenPassword: 'open',
      RestrictPermissions: true,
      PermissionPassword: 'owner',
      Printing: 1,
      Changes: 2,
      EnableCopyingOfContent: false,
      EnableTextAccessForAccessibilityTools: false,
    },
    (file) => expect(() => file.ask('qpdf', '--check')).toThrow(),
    reported('pdfinfo', /print:yes copy:no change:no addNotes:no algorithm:AES-256/, '-upw', 'open'),
    reported(
      'qpdf',
      /R = 6\n[\s\S]*print low resolution: allowed\nprint high resolution: not allowed[\s\S]*modify forms: allowed/,
      '--show-encryption',
      '--password=open',
    ),
    reported('qpdf', /No syntax or stream encoding errors/, '--check', '--password=owner'),
  ],
  [
    'the plain watermark and a version',
    { Watermark: 'OLDWAY', SelectPdfVersion: 20 },
    reported('pdfinfo', /PDF version: +2\.0/),
    (file) => expect(file.ask('pdftotext', '-').replace(/\s+/g, '')).toMatch(/OLDWAY|O.*L.*D.*W.*A.*Y/),
    reported('qpdf', /No syntax or stream encoding errors/, '--check'),
  ],
]

const rows = cases.map(([what, options, ...checks]) => [what, { options, checks }] as const)

describe.each(engines)('engine %s', (letter, from, source) => {
  it.each(rows)('%s', async (_, { options, checks }) => {
    const made = await services().converter.convert({
      source: fromBytes(source()),
      from,
      to: 'pdf',
      letter,
      options,
      deadline: Date.now() + 200_000,
      signal: AbortSignal.timeout(200_000),
    })
    expect(made.engines.length).toBe(1)
    expect(made.warnings.map(({ code }) => code)).not.toContain('convert.option-ignored')
    const file = pdfFile(await bytesOf(made.value))
    for (const check of checks) check(file)
  })
})
