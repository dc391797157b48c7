import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import { createJsonScanner } from '../json/scanner.ts'
import { maxMembers, scanJson, splitJsonArray } from '../json/split.ts'

const [OPEN_OBJECT, OPEN_LIST] = [123, 91]
/** The members that a sample may have, with the first bytes that their values may have. */
const firstBytes: Readonly<Record<string, readonly number[]>> = {
  data: [OPEN_OBJECT, OPEN_LIST],
  complement: [OPEN_OBJECT],
  translations: [OPEN_OBJECT],
  enum: [OPEN_OBJECT],
}

/**
 * Checks the JSON of a sample, `[{ data, complement, translations, enum }]`, without parsing it, since it is
 * stored as it is. Returns undefined for an empty array. Throws 'api.upload.sample' when the structure is
 * wrong, and 'api.json.too-deep'.
 */
export async function checkSample(json: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const [sample] = await splitJsonArray(json, { maxItems: 1, tooMany: notASample })
    if (sample === undefined) return undefined
    let count = 0
    const element = json.subarray(sample.start, sample.end)
    const listener = {
      begin(name: string | undefined, offset: number) {
        const allowed = entryOf(firstBytes, name)
        if (allowed?.includes(element[offset] ?? 0) !== true || ++count > maxMembers) throw notASample()
      },
    }
    await scanJson(element, createJsonScanner('object', listener))
    return json
  } catch (error) {
    throw error instanceof AppError && error.code === 'api.json.invalid.at' ? notASample() : error
  }
}

function notASample(): AppError {
  return new AppError('api.upload.sample')
}
