// A file: bytes that are uploaded once, and then named by tasks, comments, documents and CRM entities.
import { Type, type Static } from 'typebox'
import { restoreWindowDays } from './collection/operations.ts'
import { event } from './event.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { Id, Timestamp, closed, nullable, resourceFields } from './shared-fields.ts'
import { transfer } from './transfer.ts'

/** Of one file, whatever an installation permits. S3 takes no more in one request. */
export const fileBytesMax = 5 * 1024 ** 3

/** How long the address of an upload or of a download is valid. */
export const uploadAddressMinutes = 15
export const downloadAddressSecondsMax = 3_600
const downloadAddressSecondsDefault = 300

/** A file whose bytes have not come by then is removed. */
export const unfinishedFileHours = 24

export const fileStatuses = ['awaiting_upload', 'held', 'available', 'quarantined'] as const
export const FileStatus = Type.Enum([...fileStatuses], {
  description:
    '`awaiting_upload`: its bytes are not uploaded yet. `held`: they are, and wait for their release. `available`: they can be read. `quarantined`: they are locked.',
})
export type FileStatus = Static<typeof FileStatus>

const FileName = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'line',
  pattern: '^[^/\\\\]+$',
  description: 'With its ending, without folders.',
})
const Bytes = (minimum: number) => Type.Integer({ minimum, maximum: fileBytesMax, description: 'Its size.' })
const mediaType = { maxLength: 127, pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*$' }
const ofMediaType = 'Media type in lower case without parameters, such as `application/pdf`.'
const MediaType = Type.String({ ...mediaType, description: ofMediaType })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of its bytes, in hex.' })

export const File = closed({
  ...resourceFields('file'),
  name: FileName,
  bytes: Bytes(0),
  type: MediaType,
  detectedType: Type.Union([MediaType, Type.Null()], {
    description: 'What its first bytes say it is; null where they say nothing, as those of plain text.',
  }),
  sha256: Type.Union([Sha256, Type.Null()], {
    description: 'SHA-256 of its bytes, in hex; null until they have come if you gave none.',
  }),
  status: FileStatus,
  uploadedAt: nullable(Timestamp),
  quarantineReason: nullable(Type.String({ maxLength: 500, description: 'Why it is quarantined.' })),
})
export type File = Static<typeof File>

export const filesTag = tag(
  'files',
  'Files that tasks, comments, documents and CRM entities name in `fileIds`: create one, send its bytes to the upload address, then name it.',
)

const SignedUrl = Type.String({
  maxLength: 8_000,
  description:
    'Send no API key with it: its signature stands for the key that requested it, with the rate limit and IP allowlist of that key. Relative to the API if the installation has no `PUBLIC_URL`.',
})

export const UploadAddress = closed({
  method: Type.Literal('PUT'),
  url: SignedUrl,
  expiresAt: Timestamp,
})
export const DownloadAddress = closed({
  method: Type.Literal('GET'),
  url: SignedUrl,
  expiresAt: Timestamp,
})

export const fileUploaded = event(
  'files.uploaded',
  File,
  'The bytes of a file were uploaded. If the workspace holds files, its `status` is `held`: scan it, then release or quarantine it.',
)
export const fileReleased = event('files.released', File, 'A file that was held or quarantined can be read.')
export const fileQuarantined = event('files.quarantined', File, 'A file was quarantined.')
export const fileDeleted = event('files.deleted', File, 'A file was deleted.')
export const fileRestored = event('files.restored', File, 'A deleted file was restored.')

export const createFile = operation({
  name: 'files.create',
  http: 'POST /files',
  summary: 'Create a file',
  description: `Returns the URL for its bytes, \`upload\`, which is valid for ${uploadAddressMinutes} minutes and one upload. A file whose bytes are not uploaded within ${unfinishedFileHours} hours is removed. Its size counts for the quota \`fileBytes\` at once.`,
  scope: 'files:write',
  input: closed({
    name: FileName,
    bytes: Bytes(1),
    type: Type.Optional(
      Type.String({
        ...mediaType,
        default: 'application/octet-stream',
        description: `${ofMediaType} Bytes of another type are rejected; \`application/octet-stream\` takes any.`,
      }),
    ),
    sha256: Type.Optional(Sha256),
  }),
  output: closed({ ...File.properties, upload: UploadAddress }),
  success: 201,
  errors: ['quota_reached'],
})

export const listFiles = operation({
  name: 'files.list',
  http: 'GET /files',
  summary: 'List files',
  description: 'Newest first, unless sorted by `createdAt`.',
  scope: 'files:read',
  input: closed({
    ...pageInput,
    sort: Type.Optional(Type.Enum(['createdAt', '-createdAt'], { default: '-createdAt' })),
    status: Type.Optional(
      Type.Array(Type.Enum([...fileStatuses]), {
        minItems: 1,
        maxItems: fileStatuses.length,
        uniqueItems: true,
        description: 'Any of these.',
      }),
    ),
    attached: Type.Optional(
      Type.Boolean({ description: 'Only files that an object names, or only those that none does.' }),
    ),
    deleted: Type.Optional(Type.Boolean({ default: false, description: 'Deleted ones in place of the others.' })),
  }),
  output: pageOf(File),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getFile = operation({
  name: 'files.get',
  http: 'GET /files/{id}',
  summary: 'Get a file',
  description: 'One file by its id, without its bytes.',
  scope: 'files:read',
  input: closed({ id: Id }),
  output: File,
  success: 200,
  errors: ['not_found'],
})

export const deleteFile = operation({
  name: 'files.delete',
  http: 'DELETE /files/{id}',
  summary: 'Delete a file',
  description: `It can be restored for ${restoreWindowDays} days; then its bytes are removed. Objects that name it keep its id. Deleting it again changes nothing.`,
  scope: 'files:delete',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
  emits: [fileDeleted],
})

export const restoreFile = operation({
  name: 'files.restore',
  http: 'POST /files/{id}/restore',
  summary: 'Restore a deleted file',
  description: `Within ${restoreWindowDays} days of its deletion.`,
  scope: 'files:write',
  input: closed({ id: Id }),
  output: File,
  success: 200,
  errors: ['not_found', 'not_deleted', 'purged'],
  emits: [fileRestored],
})

export const purgeFile = operation({
  name: 'files.purge',
  http: 'POST /files/{id}/purge',
  summary: 'Purge a deleted file',
  description: `Removes its name and its bytes before its ${restoreWindowDays} days end: the bytes within minutes. Purging it again changes nothing.`,
  scope: 'files:delete',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'not_deleted', 'legal_hold'],
  audited: true,
})

export const createDownloadAddress = operation({
  name: 'files.create-download-address',
  http: 'POST /files/{id}/download-address',
  summary: 'Create a signed address for the bytes of a file',
  description:
    'For a browser, or another program that has no key. Each URL stops working after its time, and when the key that requested it is revoked or its secret is replaced.',
  scope: 'files:read',
  input: closed({
    id: Id,
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: downloadAddressSecondsMax,
        default: downloadAddressSecondsDefault,
        description: 'How long it is valid.',
      }),
    ),
  }),
  output: DownloadAddress,
  success: 200,
  errors: ['not_found', 'file_not_available'],
})

export const releaseFile = operation({
  name: 'files.release',
  http: 'POST /files/{id}/release',
  summary: 'Release a file',
  description:
    'For a virus scanner: a file that is held or quarantined can be read from then on. Releasing it again changes nothing.',
  scope: 'files:release',
  input: closed({ id: Id }),
  output: File,
  success: 200,
  errors: ['not_found', 'invalid_transition'],
  emits: [fileReleased],
})

export const quarantineFile = operation({
  name: 'files.quarantine',
  http: 'POST /files/{id}/quarantine',
  summary: 'Quarantine a file',
  description:
    'For a virus scanner: the bytes can be read by keys with `files:release` only. Quarantining it again changes nothing.',
  scope: 'files:release',
  input: closed({
    id: Id,
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, format: 'line', description: 'What was found, for people.' }),
    ),
  }),
  output: File,
  success: 200,
  errors: ['not_found', 'invalid_transition'],
  emits: [fileQuarantined],
})

export const uploadFile = transfer({
  name: 'files.upload',
  direction: 'upload',
  http: 'PUT /files/{id}/content',
  summary: 'Upload the bytes of a file',
  description:
    'The body is the bytes, as they are. They must have the size, the SHA-256 and the type that the file was created with; anything else is rejected and nothing is kept. Only one upload succeeds; a failed one can be repeated at the same URL. It must send at least 32 KiB a second.',
  scope: 'files:write',
  input: closed({ id: Id }),
  bytesMax: fileBytesMax,
  errors: ['not_found', 'invalid_transition', 'content_mismatch'],
  emits: [fileUploaded],
})

export const downloadFile = transfer({
  name: 'files.download',
  direction: 'download',
  http: 'GET /files/{id}/content',
  summary: 'Download the bytes of a file',
  description:
    'Always an attachment: no browser shows it as a page. Takes `Range` and `If-Range` for a part of it. The ETag is its SHA-256. Active content, such as HTML and SVG, is returned as `application/octet-stream`.',
  scope: 'files:read',
  input: closed({ id: Id }),
  bytesMax: 0,
  errors: ['not_found', 'file_not_available', 'range_not_satisfiable'],
})
