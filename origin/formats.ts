import csv from '../plugins/formats/csv/index.ts'
import docx from '../plugins/formats/docx/index.ts'
import html from '../plugins/formats/html/index.ts'
import { knownFormats } from '../plugins/formats/known/index.ts'
import md from '../plugins/formats/md/index.ts'
import odt from '../plugins/formats/odt/index.ts'
import txt from '../plugins/formats/txt/index.ts'
import xml from '../plugins/formats/xml/index.ts'
import type { FormatPlugin } from '../shared/plugin/contract.ts'

/**
 * The formats of this side, in the order in which they are asked what a file is: containers and markup before plain text,
 * which nearly anything may be. Merge workers load only these.
 */
export const formats: readonly FormatPlugin[] = [docx, odt, html, xml, md, csv, txt, ...knownFormats]
