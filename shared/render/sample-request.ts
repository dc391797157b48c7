import { AppError } from '../errors/app-error.ts'
import { splitJsonArray } from '../json/split.ts'
import { bytesOf } from '../plugin/byte-source.ts'
import type { TemplateRow } from '../records/templates.ts'
import type { Services } from '../services/services.ts'
import { openSample } from '../services/templates.ts'
import { readRenderRequest, renderMembers, splitBody } from './prepare/body.ts'
import type { RenderRequest } from './request.ts'

/** The newest version of the API, which has all features of templates. */
const major = 5

/** A request without data: the file is only converted. */
export const unfilled: RenderRequest = readRenderRequest(
  { bytes: new Uint8Array(), members: new Map() },
  major,
)

/** Returns the request that merges a template with its stored sample. Throws 'api.sample.not-found'. */
export async function sampleRequest(services: Services, row: TemplateRow): Promise<RenderRequest> {
  const bytes = await bytesOf(await openSample(services, row))
  const tooMany = () => new AppError('api.upload.sample')
  const [sample] = await splitJsonArray(bytes, { maxItems: 1, tooMany })
  if (sample === undefined) throw new AppError('api.sample.not-found')
  const request = readRenderRequest(
    await splitBody(bytes.subarray(sample.start, sample.end), renderMembers),
    major,
  )
  return { ...request, data: request.data ?? { text: new TextEncoder().encode('{}') } }
}
