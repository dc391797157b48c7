import { isName, PdfDict, PdfName, type PdfValue } from '../../model/values.ts'
import type { ConformJob } from './job.ts'
import { walkDictionaries } from './walk.ts'

/** ISO 19005-1, 6.6.1; ISO 19005-2, 6.5.1. */
const forbidden = new Set(
  `Launch Sound Movie ResetForm ImportData JavaScript Hide SetOCGState Rendition Trans GoTo3DView SetState
  NOP`.split(/\s+/),
)
const namedActions = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage'])
/** The entries that hold an action. ISO 32000-2, 12.6. */
const holders = ['A', 'PA', 'OpenAction', 'Next'] as const

/** Removes the actions that PDF/A forbids, wherever they are. PDF/UA has no rule about them. */
export function removeActions({ document, conformance, findings }: ConformJob): void {
  if (conformance.archive === 0) return
  const isForbidden = (value: PdfValue): boolean => {
    const action = document.resolve(value)
    if (Array.isArray(action)) return action.some(isForbidden)
    if (!(action instanceof PdfDict)) return false
    const kind = document.resolve(action.get('S'))
    if (!(kind instanceof PdfName)) return false
    if (kind.text !== 'Named') return forbidden.has(kind.text)
    const called = document.resolve(action.get('N'))
    return !(called instanceof PdfName && namedActions.has(called.text))
  }
  walkDictionaries(document, (dict) => {
    for (const key of holders) {
      const value = dict.get(key)
      if (value === null || !isForbidden(value)) continue
      dict.delete(key)
      findings.loss('a script or action', 'scripts and actions')
    }
    const isWidget = isName(document.resolve(dict.get('Subtype')), 'Widget') || dict.get('FT') !== null
    // A field may have no actions at all: ISO 19005-2, 6.4.1.
    if (isWidget && document.resolve(dict.get('A')) instanceof PdfDict) {
      dict.delete('A')
      findings.loss('an action of a form field', 'actions of form fields')
    }
    if (document.resolve(dict.get('AA')) instanceof PdfDict) {
      dict.delete('AA')
      findings.loss('a script or action', 'scripts and actions')
    }
  })
  const names = document.dictAt(document.catalog, 'Names')
  if (names !== undefined && names.get('JavaScript') !== null) {
    names.delete('JavaScript')
    findings.loss('a script or action', 'scripts and actions')
  }
}
