/** Operations on the PDF of a render that formatters request. Source: template language 22.11, 22.12. */
import { AppError } from '../../errors/app-error.ts'
import type { FileOperation } from '../../ports/merger.ts'
import type { RenderContext } from './formatter.ts'

const maxOperations = 20 // files of a render
const maxSignatures = 1_000
const key = 'operations'

/** Throws AppError 'template.files.too-many'. */
export function addOperation(render: RenderContext, operation: FileOperation): void {
  const operations = (render.memo.get(key) as FileOperation[] | undefined) ?? []
  render.memo.set(key, operations)
  const isSignature = operation.kind === 'sign'
  const limit = isSignature ? maxSignatures : maxOperations
  if (operations.filter(({ kind }) => (kind === 'sign') === isSignature).length >= limit)
    throw new AppError('template.files.too-many', { limit })
  operations.push(operation)
}

/** The file operations that the tags of a render have requested, in document order. */
export const operationsOf = (render: RenderContext): readonly FileOperation[] =>
  (render.memo.get(key) as readonly FileOperation[] | undefined) ?? []

/** Forgets the operations that a first pass over the tags requested, because the pass that writes requests them again. */
export const forgetOperations = (render: RenderContext): void => void render.memo.delete(key)
