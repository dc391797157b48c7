/**
 * Options for the paper of a web page that a browser prints: additions to specification 4.9 for engine C. They are listed here
 * because the edge accepts them, too, while the engine runs on an origin.
 */
export const pageOptionNames: readonly string[] = [
  'FooterTemplate',
  'HeaderTemplate',
  'Landscape',
  'MarginBottom',
  'MarginLeft',
  'MarginRight',
  'MarginTop',
  'PaperSize',
  'PrintBackground',
  'Scale',
]
