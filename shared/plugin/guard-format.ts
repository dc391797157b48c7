import { AppError } from '../errors/app-error.ts'
import type { FormatPlugin } from './contract.ts'
import type { Log } from './values.ts'

/**
 * A format from outside, whose functions fail in a defined way: 'format.failed' for what they throw unforeseen,
 * and no match for a sniffer that throws, which would otherwise end every request with a file.
 */
export function guardFormat(format: FormatPlugin, log: Pick<Log, 'error'>): FormatPlugin {
  const { id, sniff, template, reader, flow, plainCopy, printOptions, variantOf } = format
  const failed = (error: unknown): AppError =>
    error instanceof AppError ? error : new AppError('format.failed', { format: id }, { cause: error })
  const guarded =
    <Args extends readonly unknown[], T>(work: (...args: Args) => T | Promise<T>) =>
    async (...args: Args): Promise<T> => {
      try {
        return await work(...args)
      } catch (error) {
        throw failed(error)
      }
    }
  return {
    ...format,
    ...(sniff && {
      sniff: async (source) => {
        try {
          return await sniff(source)
        } catch (error) {
          log.error('format.failed', { format: id, function: 'sniff', error })
          return 'no'
        }
      },
    }),
    ...(template && {
      template: { open: guarded((bytes, context) => template.open(bytes, context)) },
    }),
    ...(reader && { reader: { read: guarded((bytes, context) => reader.read(bytes, context)) } }),
    ...(flow && { flow: { read: guarded((bytes, context) => flow.read(bytes, context)) } }),
    ...(plainCopy && { plainCopy: guarded((bytes, context) => plainCopy(bytes, context)) }),
    ...(printOptions && { printOptions: guarded((bytes) => printOptions(bytes)) }),
    ...(variantOf && {
      variantOf: {
        base: variantOf.base,
        rewrite: guarded((bytes, context) => variantOf.rewrite(bytes, context)),
      },
    }),
  }
}
