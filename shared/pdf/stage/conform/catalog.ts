import type { PdfDocument } from '../../model/document.ts'
import { nameTreeEntries } from '../../model/name-tree.ts'
import { textString } from '../../model/text-string.ts'
import { isName, name, PdfDict, PdfRef, PdfStream, type PdfValue } from '../../model/values.ts'
import type { ConformJob } from './job.ts'
import { walkDictionaries } from './walk.ts'

/** Corrects features of the entire document that PDF/A forbids: XFA, attached files, layers, special streams. */
export function conformCatalog(job: ConformJob): void {
  const { document, conformance, findings } = job
  if (conformance.archive === 0) return
  const { catalog } = document
  for (const key of ['Requirements', 'NeedsRendering', 'Perms', 'Legal', 'Collection']) catalog.delete(key)
  const form = document.dictAt(catalog, 'AcroForm')
  if (form !== undefined && form.get('XFA') !== null) {
    form.delete('XFA')
    findings.loss('its XFA form', 'XFA forms')
  }
  const names = document.dictAt(catalog, 'Names')
  if (names !== undefined) {
    names.delete('AlternatePresentations')
    conformFiles(job, names)
  }
  conformLayers(job)
  dropSignatures(job)
  walkDictionaries(document, (dictionary, stream) => {
    if (dictionary !== catalog && document.resolve(dictionary.get('Metadata')) instanceof PdfStream)
      dictionary.delete('Metadata')
    dictionary.delete('PresSteps')
    if (stream !== undefined) conformStream(job, stream)
  })
}

/**
 * A signature covers the bytes of the document, which change here, so signatures are removed and their fields kept. ISO
 * 19005-2, 6.4.3.
 */
function dropSignatures({ document }: ConformJob): void {
  walkDictionaries(document, (dictionary) => {
    if (!isName(document.resolve(dictionary.get('FT')), 'Sig')) return
    dictionary.delete('V')
    dictionary.delete('Lock')
  })
  document.dictAt(document.catalog, 'AcroForm')?.delete('SigFlags')
}

/**
 * Part 1 forbids attached files, and part 2 allows only conforming ones. Part 3 requires the relationship of each to the
 * document. 6.8.
 */
function conformFiles({ document, conformance, findings }: ConformJob, names: PdfDict): void {
  const files = nameTreeEntries(document, names.get('EmbeddedFiles'))
  if (conformance.archive < 3) {
    for (const _ of files) findings.loss('an attached file', 'attached files')
    names.delete('EmbeddedFiles')
    document.catalog.delete('AF')
    walkDictionaries(document, (dictionary) => dictionary.delete('AF'))
    return
  }
  const listed = document.resolve(document.catalog.get('AF'))
  const associated: PdfValue[] = Array.isArray(listed) ? [...listed] : []
  for (const [, value] of files) {
    const file = document.resolve(value)
    if (!(file instanceof PdfDict)) continue
    describeFile(document, file)
    const isListed = associated.some((ref) => document.resolve(ref) === file)
    if (!isListed) associated.push(value instanceof PdfRef ? value : document.put(file))
  }
  if (associated.length > 0) document.catalog.set('AF', associated)
}

function describeFile(document: PdfDocument, file: PdfDict): void {
  const [fileName, unicode] = [file.get('F'), file.get('UF')]
  if (fileName === null) file.set('F', unicode === null ? textString('file') : unicode)
  if (unicode === null) file.set('UF', file.get('F'))
  if (file.get('AFRelationship') === null) file.set('AFRelationship', name('Unspecified'))
  const contents = document.dictAt(file, 'EF')
  for (const value of contents?.entries.values() ?? []) {
    const stream = document.resolve(value)
    if (stream instanceof PdfStream && stream.dict.get('Subtype') === null)
      stream.dict.set('Subtype', name('application/octet-stream'))
  }
}

/** Part 1 forbids layers. Later parts require a name for each configuration and forbid automatic switching. 6.9. */
function conformLayers({ document, conformance, findings }: ConformJob): void {
  const layers = document.dictAt(document.catalog, 'OCProperties')
  if (layers === undefined) return
  const defaultConfiguration = document.dictAt(layers, 'D')
  if (conformance.archive === 1) {
    const hidden =
      defaultConfiguration === undefined ? null : document.resolve(defaultConfiguration.get('OFF'))
    const isOff =
      defaultConfiguration !== undefined &&
      isName(document.resolve(defaultConfiguration.get('BaseState')), 'OFF')
    if (isOff || (Array.isArray(hidden) && hidden.length > 0)) findings.obstacle('hidden layers')
    document.catalog.delete('OCProperties')
    findings.loss('its layers', 'layers')
    return
  }
  const others = document.resolve(layers.get('Configs'))
  const all = [
    defaultConfiguration,
    ...(Array.isArray(others) ? others.map((other) => document.resolve(other)) : []),
  ]
  const count = document.resolve(layers.get('OCGs'))
  for (const [index, value] of all.entries()) {
    if (!(value instanceof PdfDict)) continue
    value.delete('AS')
    if (document.resolve(value.get('Name')) === null) value.set('Name', textString(`Layers ${index + 1}`))
    const order = document.resolve(value.get('Order'))
    const groups = layersIn(document, order)
    if (order !== null && Array.isArray(count) && groups.size < count.length) value.delete('Order')
  }
}

/** The numbers of the layers that an order of layers lists, at any depth. */
function layersIn(document: PdfDocument, order: PdfValue): ReadonlySet<number> {
  const numbers = new Set<number>()
  const seen = new Set<PdfValue>()
  const pending = [order]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const resolved = document.resolve(value)
    if (value instanceof PdfRef && resolved instanceof PdfDict) numbers.add(value.id)
    if (!Array.isArray(resolved) || seen.has(resolved)) continue
    seen.add(resolved)
    for (const item of resolved) pending.push(item)
  }
  return numbers
}

/** ISO 19005-2, 6.1.7, 6.2.8, 6.2.9. */
function conformStream({ document, conformance, findings }: ConformJob, { dict: head }: PdfStream): void {
  if (['F', 'FFilter', 'FDecodeParms'].some((key) => head.get(key) !== null))
    findings.obstacle('data in other files')
  const filters = document.resolve(head.get('Filter'))
  for (const filterName of Array.isArray(filters) ? filters : [filters]) {
    const filter = document.resolve(filterName)
    if (isName(filter, 'LZWDecode') || isName(filter, 'Crypt'))
      findings.obstacle('data compressed with LZW or encrypted')
    if (isName(filter, 'JPXDecode') && conformance.archive === 1) findings.obstacle('pictures of JPEG 2000')
  }
  const kind = document.resolve(head.get('Subtype'))
  if (isName(kind, 'Image')) {
    for (const key of ['Alternates', 'OPI', 'Interpolate']) head.delete(key)
    checkIntent(head, 'Intent')
    const mask = document.resolve(head.get('SMask'))
    if (conformance.archive === 1 && mask instanceof PdfStream) findings.obstacle('transparency')
  } else if (isName(kind, 'Form')) {
    head.delete('OPI')
    if (
      ['PS', 'Ref'].some((key) => head.get(key) !== null) ||
      isName(document.resolve(head.get('Subtype2')), 'PS')
    )
      findings.obstacle('PostScript or pages of other files')
  } else if (isName(kind, 'PS')) findings.obstacle('PostScript')

  function checkIntent(holder: PdfDict, key: string): void {
    const intent = document.resolve(holder.get(key))
    if (intent !== null && !renderingIntents.some((allowed) => isName(intent, allowed))) holder.delete(key)
  }
}

const renderingIntents = ['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation']
