import { afterAll, beforeAll, describe } from 'vitest'
import { badInputCases } from './bad-input.ts'
import { batchCases } from './batch.ts'
import { batchStreamCases } from './batch-streams.ts'
import { bodyCases } from './bodies.ts'
import { checkCases } from './checks.ts'
import { type Client, createClient, type Target } from './client.ts'
import { clientCases } from './clients.ts'
import { diffCases } from './diffs.ts'
import { hostileCases } from './hostile.ts'
import { inspectCases } from './inspect.ts'
import { invoiceCases } from './invoices.ts'
import { jobCases } from './jobs.ts'
import { listCases } from './lists.ts'
import { metadataCases } from './metadata.ts'
import { officeCases } from './office.ts'
import { optionCases } from './options.ts'
import { pdfOperationCases } from './pdf-operations.ts'
import { pictureCases } from './pictures.ts'
import { previewCases } from './previews.ts'
import { protocolCases } from './protocol.ts'
import { provenanceCases } from './provenance.ts'
import { renderCases } from './renders.ts'
import { sheetCases } from './sheets.ts'
import { signatureCases } from './signatures.ts'
import { slideCases } from './slides.ts'
import { stateMachineCases } from './state-machine.ts'
import { uploadCases } from './uploads.ts'

/**
 * The HTTP contract, sentence by sentence, for whatever serves it: the origin in each of its storages, the Worker. The
 * cases share one service; each uses names of its own. `onlyStored` leaves out the cases in which no request depends on
 * what an earlier one stored: for a host that differs from another target in nothing but its storage.
 */
export function httpContract(
  name: string,
  start: () => Promise<Target>,
  { onlyStored = false }: { readonly onlyStored?: boolean } = {},
): void {
  describe(`http contract: ${name}`, () => {
    let target: Target | undefined
    let client: Client
    beforeAll(async () => {
      target = await start()
      client = createClient(target.url, {}, target.urls)
    })
    afterAll(() => target?.stop())
    const use = () => client
    describe('uploads', () => uploadCases(use))
    describe('metadata', () => metadataCases(use))
    describe('lists', () => listCases(use))
    describe('renders', () => renderCases(use))
    describe('options of renders', () => optionCases(use))
    describe('batches', () => batchCases(use))
    describe('batches that are answered as they are made', () => batchStreamCases(use))
    describe('jobs', () => jobCases(use))
    describe('state machine', () => stateMachineCases(use))
    describe('bad input', () => badInputCases(use))
    if (onlyStored) return
    describe('published clients', () => clientCases(use))
    describe('lint and schema', () => inspectCases(use))
    describe('office files', () => officeCases(use))
    describe('electronic invoices', () => invoiceCases(use))
    describe('operations on PDF files', () => pdfOperationCases(use))
    describe('signatures', () => signatureCases(use))
    describe('sheets', () => sheetCases(use))
    describe('slides', () => slideCases(use))
    describe('pictures of pages', () => pictureCases(use))
    describe('previews of templates', () => previewCases(use))
    describe('differences of versions', () => diffCases(use))
    describe('cases of templates', () => checkCases(use))
    describe('manifests of documents', () => provenanceCases(use))
    describe('protocol', () => protocolCases(use))
    describe('forms of bodies', () => bodyCases(use))
    describe('hostile input', () => hostileCases(use))
  })
}
