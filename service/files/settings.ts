// The settings of the store of files.
import { fileBytesMax } from '#contract/files.ts'
import { integer, text, url } from '#runtime/settings.ts'
import { s3Store } from './s3-store.ts'
import { diskStore, type FileStore } from './store.ts'

export const fileSettings = {
  filesDir: text('FILES_DIR', {
    default: './data/files',
    description: 'The folder of uploaded files. All services share it.',
  }),
  fileBytesMax: integer('FILE_BYTES_MAX', {
    default: 100 * 1024 ** 2,
    min: 1,
    max: fileBytesMax,
    unit: 'bytes',
    description: 'The maximum size of an uploaded file.',
  }),
  filesS3Endpoint: url('FILES_S3_ENDPOINT', {
    protocols: ['http', 'https'],
    default: null,
    description:
      'The address of an S3-compatible store, such as `https://s3.eu-central-1.amazonaws.com`. With it, files are kept there and not in FILES_DIR.',
  }),
  filesS3Bucket: text('FILES_S3_BUCKET', { default: null, description: 'The bucket, which must exist.' }),
  filesS3Region: text('FILES_S3_REGION', {
    default: 'us-east-1',
    description: 'The region that requests are signed for.',
  }),
  filesS3AccessKeyId: text('FILES_S3_ACCESS_KEY_ID', {
    default: null,
    description: 'The key that may read, write and delete objects of the bucket.',
  }),
  filesS3SecretAccessKey: {
    ...text('FILES_S3_SECRET_ACCESS_KEY', { default: null, description: 'The secret of that key.' }),
    hidden: true,
  },
}

type S3Given = {
  readonly filesS3Endpoint: string | null
  readonly filesS3Bucket: string | null
  readonly filesS3Region: string
  readonly filesS3AccessKeyId: string | null
  readonly filesS3SecretAccessKey: string | null
}

/** A sentence where a part of the settings of S3 is given and another is not. */
export function fileContradictions(given: Partial<S3Given>): string[] {
  const { filesS3Endpoint, filesS3Bucket, filesS3AccessKeyId, filesS3SecretAccessKey } = given
  const parts = [filesS3Endpoint, filesS3Bucket, filesS3AccessKeyId, filesS3SecretAccessKey]
  const missing = parts.filter((part) => (part ?? null) === null).length
  if (missing === 0 || missing === parts.length) return []
  return ['FILES_S3_ENDPOINT, FILES_S3_BUCKET, FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY go together']
}

/** `folder`: where files are kept without S3. */
export function fileStoreIn(given: S3Given, folder: string): FileStore {
  const { filesS3Endpoint: endpoint, filesS3Bucket: bucket, filesS3Region: region } = given
  const { filesS3AccessKeyId: accessKeyId, filesS3SecretAccessKey: secretAccessKey } = given
  if (endpoint === null || bucket === null || accessKeyId === null || secretAccessKey === null) return diskStore(folder)
  return s3Store({ endpoint, bucket, region, accessKeyId, secretAccessKey })
}
