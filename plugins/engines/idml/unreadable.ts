import { AppError } from '../../../shared/errors/app-error.ts'

export const title = 'InDesign'

export function unreadable(because: string): AppError {
  return new AppError('convert.document', { engine: title, from: 'idml', because })
}
