import { AppError } from '../../../shared/errors/app-error.ts'
import { title } from './conversions.ts'

export function unreadable(because: string): AppError {
  return new AppError('convert.document', { engine: title, from: 'idml', because })
}
