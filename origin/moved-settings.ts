import { entryOf } from '../shared/entry-of.ts'
import { AppError } from '../shared/errors/app-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Settings of the established service in the environment, for those who move here. They become settings of this
 * one, which win when both are given:
 *
 *   BUCKET_TEMPLATES, BUCKET_RENDERS, AWS_…           SERVICE_BLOBS_URL=s3://…
 *   CONTAINER_TEMPLATES, CONTAINER_RENDERS, AZURE_…   SERVICE_BLOBS_URL=azure://…
 *   SERVICE_TEMPLATE_MANAGEMENT=false                 SERVICE_STATELESS=true
 *
 * Throws 'storage.names' for a part that is missing or unusable.
 */
export function translateEnvironment(environment: Environment): Environment {
  const { SERVICE_TEMPLATE_MANAGEMENT: management, ...otherVariables } = environment
  const urls = environment['SERVICE_BLOBS_URL']?.trim() ? [] : blobUrls(environment)
  return {
    ...otherVariables,
    ...(urls.length > 0 && { SERVICE_BLOBS_URL: urls.join(',') }),
    ...(/^(?:false|0|no|off)$/i.test(management?.trim() ?? '') && { SERVICE_STATELESS: 'true' }),
  }
}

/** One URL for all files, or two: one for templates and one for everything else. */
function blobUrls(environment: Environment): readonly string[] {
  const value = (name: string) => entryOf(environment, name)?.trim() ?? ''
  const [templates, renders] = [value('BUCKET_TEMPLATES'), value('BUCKET_RENDERS')]
  if (templates !== '') return pair(templates, renders, (name) => s3Url(value, name))
  const [container, containerOfRenders] = [value('CONTAINER_TEMPLATES'), value('CONTAINER_RENDERS')]
  if (container !== '') return pair(container, containerOfRenders, (name) => azureUrl(value, name))
  if (renders !== '') throw unusable('BUCKET_RENDERS', 'BUCKET_TEMPLATES beside it')
  if (containerOfRenders !== '') throw unusable('CONTAINER_RENDERS', 'CONTAINER_TEMPLATES beside it')
  return []
}

function pair(templates: string, renders: string, url: (name: string) => string): readonly string[] {
  return renders === '' || renders === templates ? [url(templates)] : [url(templates), url(renders)]
}

/** The syntax of bucket names of S3. Container names of Azure are the same without dots. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

function s3Url(value: (name: string) => string, bucket: string): string {
  if (!bucketName.test(bucket))
    throw unusable(
      'BUCKET_TEMPLATES or BUCKET_RENDERS',
      'names of buckets, such as BUCKET_TEMPLATES=templates',
    )
  const query = new URLSearchParams()
  if (value('AWS_REGION') !== '') query.set('region', value('AWS_REGION'))
  if (value('AWS_ENDPOINT_URL') !== '') query.set('endpoint', value('AWS_ENDPOINT_URL'))
  return `s3://${credentials(value('AWS_ACCESS_KEY_ID'), value('AWS_SECRET_ACCESS_KEY'))}${bucket}?${query}`
}

function azureUrl(value: (name: string) => string, container: string): string {
  const [account, key] = [value('AZURE_STORAGE_ACCOUNT'), value('AZURE_STORAGE_KEY')]
  if (!bucketName.test(container))
    throw unusable(
      'CONTAINER_TEMPLATES or CONTAINER_RENDERS',
      'names of containers, such as CONTAINER_TEMPLATES=templates',
    )
  if (account === '' || key === '')
    throw unusable('CONTAINER_TEMPLATES without AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY', 'all three')
  const endpoint = value('AZURE_STORAGE_ENDPOINT')
  const query = new URLSearchParams(endpoint === '' ? {} : { endpoint })
  return `azure://${credentials(account, key)}${container}?${query}`
}

/** The credentials part of a URL, percent-encoded, commas included. Empty when there is no name. */
function credentials(name: string, secret: string): string {
  return name === '' ? '' : `${encodeURIComponent(name)}:${encodeURIComponent(secret)}@`
}

function unusable(option: string, example: string): AppError {
  return new AppError('storage.names', { option, example })
}
