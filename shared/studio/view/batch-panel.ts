import { type BatchRequest, cancelBatch, canJoin, startBatch } from '../batch.ts'
import { type BatchList, batchLists, readBatchFile } from '../model/batches.ts'
import type { Session } from '../session.ts'
import type { BatchState } from '../state.ts'
import { field, fill, h, show, tick } from './dom.ts'
import { offerFile } from './result-view.ts'

/** Many documents of the open template from a list: of the current data, or of a file with JSON or NDJSON. */
export function createBatchPanel(session: Session): {
  readonly node: HTMLElement
  readonly shown: () => void
} {
  /** The data of the file that the user chose; undefined: the current data. */
  let fileData: { readonly name: string; readonly data: unknown } | undefined
  const controls = createBatchForm({
    chosen: () => void readFile(),
    run: (event) => started(event),
    cancel: () => void cancelBatch(session),
    save,
  })
  const { form, chooser, list, reportName, nameField, joined, continues } = controls
  const { run, cancel, download, progress, note, error } = controls
  joined.box.addEventListener('change', draw)
  session.listen((parts) => {
    if (parts.has('options') || parts.has('template')) drawLists()
    if (parts.has('options') || parts.has('batch')) draw()
    if (parts.has('batch')) fail(session.state.batch.kind === 'failed' ? session.state.batch.message : '')
  })
  drawLists()
  draw()
  return { node: h('div', { class: 'panel' }, form), shown: drawLists }

  async function readFile(): Promise<void> {
    const [file] = chooser.files ?? []
    try {
      fileData = file && { name: file.name, data: readBatchFile(await file.text()) }
      fail()
    } catch (fault) {
      fileData = undefined
      chooser.value = ''
      fail(`${file?.name}: ${fault instanceof Error ? fault.message : String(fault)}`)
    }
    drawLists()
  }

  function data(): unknown {
    return fileData === undefined ? session.state.options.data : fileData.data
  }

  function drawLists(): void {
    const before = list.value
    const lists = batchLists(data())
    fill(list, ...lists.map((each) => h('option', { value: each.splitBy }, labelOf(each, fileData?.name))))
    if (lists.some(({ splitBy }) => splitBy === before)) list.value = before
    if (lists.length === 0) fill(list, h('option', { value: '' }, 'No list of objects in the data'))
    list.disabled = lists.length === 0
    draw()
  }

  function draw(): void {
    const { batch } = session.state
    const isRunning = batch.kind === 'running'
    run.disabled = isRunning || list.value === ''
    show(joined.node, canJoin(session))
    show(nameField, !(joined.box.checked && canJoin(session)))
    show(cancel, isRunning)
    show(download, batch.kind === 'done')
    show(progress, isRunning)
    if (isRunning && batch.total > 0) {
      progress.max = batch.total
      progress.value = batch.done + batch.failed
    } else progress.removeAttribute('value')
    note.textContent = noteOf(batch)
  }

  function fail(message = ''): void {
    error.textContent = message
    show(error, message !== '')
  }

  function started(event: Event): void {
    event.preventDefault()
    fail()
    const request: BatchRequest = {
      data: data(),
      splitBy: list.value,
      reportName: reportName.value.trim(),
      joined: joined.box.checked && canJoin(session),
      continues: continues.box.checked,
    }
    void startBatch(session, request).then(() => {
      // The button that had the focus may be hidden now.
      if (session.state.batch.kind === 'done') download.focus()
      else run.focus()
    })
    cancel.focus()
  }

  function save(): void {
    const { batch } = session.state
    if (batch.kind === 'done') offerFile(batch.file)
  }
}

/** What the controls of the form do. */
interface BatchActions {
  readonly chosen: () => void
  readonly run: (event: Event) => void
  readonly cancel: () => void
  readonly save: () => void
}

/** The form of a batch: what is made of which list, the buttons, and the progress. */
function createBatchForm(actions: BatchActions) {
  const chooser = h('input', {
    type: 'file',
    name: 'batchFile',
    accept: '.json,.ndjson,.jsonl,.txt',
    on: { change: actions.chosen },
  })
  const list = h('select', { name: 'batchSplitBy' })
  const reportName = h('input', {
    type: 'text',
    name: 'batchReportName',
    autocomplete: 'off',
    placeholder: 'letter-{d.name}',
  })
  const joined = tick('One PDF of all documents', false, 'Otherwise a zip with a file for each')
  const continues = tick('Continue after a failure', false, 'The zip then lists what failed')
  const run = h('button', { type: 'submit', class: 'primary' }, 'Run the batch')
  const cancel = h('button', { type: 'button', class: 'quiet', on: { click: actions.cancel } }, 'Cancel')
  const download = h(
    'button',
    { type: 'button', class: 'quiet', 'data-key': 'download batch', on: { click: actions.save } },
    'Download',
  )
  const progress = h('progress', { 'aria-label': 'Progress of the batch' })
  const note = h('p', { class: 'note', role: 'status' })
  const error = h('p', { class: 'failure', role: 'alert', hidden: true })
  const nameField = field(
    'Name of each file',
    reportName,
    'Tags are allowed. Without a name, files are numbered.',
  )
  const form = h(
    'form',
    { class: 'batch', on: { submit: actions.run } },
    field(
      'File of data',
      chooser,
      'JSON, or one JSON object on each line. Without a file, the current data is used.',
    ),
    field('A document for each item of', list),
    nameField,
    joined.node,
    continues.node,
    h('div', { class: 'list-actions' }, run, cancel, download),
    progress,
    note,
    error,
  )
  return {
    form,
    ...{ chooser, list, reportName, nameField, joined, continues },
    ...{ run, cancel, download, progress, note, error },
  }
}

function labelOf({ splitBy, count }: BatchList, file: string | undefined): string {
  const name = splitBy === 'd' ? (file ?? 'the data') : splitBy.slice(2)
  return `${name} (${count} ${count === 1 ? 'item' : 'items'})`
}

/** Screen readers announce the beginning and the end of a batch; its progress is in the progress bar. */
function noteOf(batch: BatchState): string {
  if (batch.kind === 'running') return 'The documents are being made…'
  if (batch.kind !== 'done') return ''
  const made = `${batch.done} ${batch.done === 1 ? 'document' : 'documents'} made`
  return batch.failed === 0 ? `${made}.` : `${made}, ${batch.failed} failed.`
}
