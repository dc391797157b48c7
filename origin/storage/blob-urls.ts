import { AppError } from '../../shared/errors/app-error.ts'
import type { Config } from '../config.ts'

/** The settings that select where files are stored. */
export type BlobPlaces = Pick<
  Config,
  | 'blobsUrl'
  | 'bucketTemplates'
  | 'bucketRenders'
  | 'awsAccessKeyId'
  | 'awsSecretAccessKey'
  | 'awsEndpointUrl'
  | 'awsRegion'
  | 'containerTemplates'
  | 'containerRenders'
  | 'azureStorageAccount'
  | 'azureStorageKey'
  | 'azureStorageEndpoint'
>

/**
 * The URLs of the stores for files. The list is empty for the data folder, has one URL for everything, or
 * two: for templates and for everything else. The settings of buckets and containers are converted to such
 * URLs. Throws 'storage.names'.
 */
export function blobUrls(places: BlobPlaces): readonly string[] {
  const { blobsUrl, bucketTemplates, containerTemplates } = places
  if (blobsUrl !== '') return [blobsUrl]
  if (bucketTemplates !== '')
    return pair(bucketTemplates, places.bucketRenders, (name) => s3Url(places, name))
  if (containerTemplates !== '')
    return pair(containerTemplates, places.containerRenders, (name) => azureUrl(places, name))
  if (places.bucketRenders !== '') throw unclear('BUCKET_RENDERS', 'BUCKET_TEMPLATES beside it')
  if (places.containerRenders !== '') throw unclear('CONTAINER_RENDERS', 'CONTAINER_TEMPLATES beside it')
  return []
}

function pair(templates: string, renders: string, url: (name: string) => string): readonly string[] {
  return renders === '' || renders === templates ? [url(templates)] : [url(templates), url(renders)]
}

/** The syntax of bucket names of S3. Container names of Azure are the same without dots. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

function s3Url(places: BlobPlaces, bucket: string): string {
  if (!bucketName.test(bucket))
    throw unclear(
      'BUCKET_TEMPLATES or BUCKET_RENDERS',
      'names of buckets, such as BUCKET_TEMPLATES=templates',
    )
  const query = new URLSearchParams()
  if (places.awsRegion !== '') query.set('region', places.awsRegion)
  if (places.awsEndpointUrl !== '') query.set('endpoint', places.awsEndpointUrl)
  return `s3://${credentials(places.awsAccessKeyId, places.awsSecretAccessKey)}${bucket}?${query}`
}

function azureUrl(places: BlobPlaces, container: string): string {
  const { azureStorageAccount: account, azureStorageKey: key, azureStorageEndpoint: endpoint } = places
  if (!bucketName.test(container))
    throw unclear(
      'CONTAINER_TEMPLATES or CONTAINER_RENDERS',
      'names of containers, such as CONTAINER_TEMPLATES=templates',
    )
  if (account === '' || key === '')
    throw unclear('CONTAINER_TEMPLATES without AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY', 'all three')
  const query = new URLSearchParams(endpoint === '' ? {} : { endpoint })
  return `azure://${credentials(account, key)}${container}?${query}`
}

/** The credentials part of a URL, percent-encoded. Empty when there is no name. */
function credentials(name: string, secret: string): string {
  return name === '' ? '' : `${encodeURIComponent(name)}:${encodeURIComponent(secret)}@`
}

function unclear(option: string, example: string): AppError {
  return new AppError('storage.names', { option, example })
}
