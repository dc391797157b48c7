/**
 * The formats that both sides load, in the order in which they are asked what a file is: containers first, then markup
 * from the special to the general, plain text at the end, since nearly anything may be that. One line a format.
 */
import type { FormatPlugin } from '../../shared/plugin/contract.ts'
import csv from './csv/index.ts'
import docx from './docx/index.ts'
import html, { xhtml } from './html/index.ts'
import idml from './idml/index.ts'
import { knownFormats } from './known/index.ts'
import md from './md/index.ts'
import odg, { flat as flatGraphics } from './odg/index.ts'
import odp, { flat as flatPresentation } from './odp/index.ts'
import ods, { flat as flatSpreadsheet } from './ods/index.ts'
import odt, { flat as flatText } from './odt/index.ts'
import pdf from './pdf/index.ts'
import pptx from './pptx/index.ts'
import svg from './svg/index.ts'
import txt from './txt/index.ts'
import xlsx from './xlsx/index.ts'
import xml, { vocabularies } from './xml/index.ts'

export const formats: readonly FormatPlugin[] = [
  docx,
  xlsx,
  pptx,
  odt,
  ods,
  odp,
  odg,
  idml,
  pdf,
  flatText,
  flatSpreadsheet,
  flatPresentation,
  flatGraphics,
  ...knownFormats,
  svg,
  xhtml,
  html,
  ...vocabularies,
  xml,
  md,
  csv,
  txt,
]
