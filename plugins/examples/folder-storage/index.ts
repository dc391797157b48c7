/** Keeps templates and documents as files of a folder: that of FOLDER_STORAGE, else `documents` of the working folder. */
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineStorage } from 'platen/plugin'

const folder = resolve(process.env['FOLDER_STORAGE'] ?? 'documents')

/** The path of a template or document. IDs are safe as file names; `name` of a document is not. */
const pathOf = (kind: 'templates' | 'renders', id: string) => join(folder, kind, id)

async function keep(kind: 'templates' | 'renders', id: string, path: string): Promise<void> {
  await mkdir(join(folder, kind), { recursive: true })
  await copyFile(path, pathOf(kind, id))
}

export default defineStorage({
  kind: 'storage',
  contract: 1,
  id: 'folder-storage',
  writeTemplate: (_request, _response, templateId, path) => keep('templates', templateId, path),
  // The path of a file that is missing means that there is no such template.
  readTemplate: (_request, _response, templateId) => pathOf('templates', templateId),
  deleteTemplate: (_request, _response, templateId) => rm(pathOf('templates', templateId), { force: true }),
  async afterRender(_request, _response, { renderId }, path) {
    // Without an ID the document is sent at once and need not be kept.
    if (renderId !== undefined) await keep('renders', renderId, path)
  },
  readRender: (_request, _response, renderId) => pathOf('renders', renderId),
})
