import { AppError } from '../shared/errors/app-error.ts'
import type { OriginConfig } from './config.ts'

/**
 * Explains to the operator why the service did not start: a sentence and what to do next, without a stack. A
 * TypeError or ReferenceError is a defect of the program and keeps its stack for the bug report.
 */
export function explainStart(
  error: unknown,
  { port, bind, databaseUrl }: Pick<OriginConfig, 'port' | 'bind' | 'databaseUrl'>,
): string {
  const { code, path, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${bind} is taken by another program. Stop it, or choose another with --port or SERVICE_PORT.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${bind} is not an address of this machine. Set --bind or SERVICE_BIND.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path === undefined
        ? `Port ${port} may not be used by this user. Choose one from 1024 up with --port or SERVICE_PORT.`
        : `${path} may not be written by this user. Set --dataDir or SERVICE_DATA_DIR to a folder of its own.`
    case 'ENOSPC':
      return 'The disk is full.'
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path ?? 'The data folder'} is not a folder. Set --dataDir or SERVICE_DATA_DIR.`
  }
  if (error instanceof AppError) {
    const because = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    if (error.code === 'storage.records')
      return `The database ${databaseUrl === '' ? 'in the data folder' : 'of SERVICE_DATABASE_URL'} cannot be opened${because}.`
    return [error.message + (error.blame === 'us' ? because : ''), error.hint].filter(Boolean).join(' ')
  }
  if (error instanceof TypeError || error instanceof ReferenceError) return error.stack ?? message
  return message ?? String(error)
}
