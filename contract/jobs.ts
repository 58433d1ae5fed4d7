// Jobs: work on many objects that goes on after the call that starts it. Schema, event and operations.
import { Type, type Static } from 'typebox'
import { FileOutput } from './file-answer.ts'
import { systemEvent } from './event.ts'
import { Actor, Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { collectionSegments, type Scope } from './scopes.ts'

export const jobsTag = tag(
  'jobs',
  'Work on many objects in the background: exports, imports, and updates and deletions by a filter.',
)

/** Jobs of a workspace that have not ended. One of them runs at a time, the oldest. */
export const openJobsMax = 10
/** How long a job and its files are kept after it has ended. */
export const jobKeptDays = 7
/** The largest file of a job, packed. */
export const jobFileBytesMax = 1024 * 1024 * 1024
/** The files of a workspace's ended jobs together, packed. The oldest are deleted first. */
export const jobFilesBytesMax = 4 * jobFileBytesMax

/** The largest file of an import, unpacked. */
export const jobInputBytesMax = 1024 * 1024 * 1024
/** Characters of one line or record of an import. */
export const jobLineBytesMax = 4 * 1024 * 1024
/** Characters of rows that come with the call. */
export const jobTextLengthMax = 900_000
/** The objects that one job changes, and the rows of an import. */
export const jobRowsMax = 1_000_000

export const jobKinds = ['export', 'import', 'update', 'delete'] as const
export type JobKind = (typeof jobKinds)[number]
const Kind = Type.Enum([...jobKinds], { description: 'What the job does.' })

/** What is exported, in the order of the export: what others refer to comes first. */
export const exportedResources = [
  'members',
  'custom-fields',
  'files',
  'crm-entities',
  'projects',
  'tasks',
  'documents',
  'comments',
] as const
export type ExportedResource = (typeof exportedResources)[number]
/** The scope that the export of each needs. Comments need none of their own: those on readable objects are exported. */
export const exportScopes: Readonly<Record<ExportedResource, Scope | null>> = {
  members: 'members:read',
  'custom-fields': 'workspaces:read',
  files: 'files:read',
  'crm-entities': 'crm-entities:read',
  projects: 'projects:read',
  tasks: 'tasks:read',
  documents: 'documents:read',
  comments: null,
}

const Resources = Type.Array(Type.Enum([...exportedResources]), {
  minItems: 1,
  maxItems: exportedResources.length,
  uniqueItems: true,
  description: 'What is exported. Default: all that the key may read.',
})

const Resource = Type.Enum([...collectionSegments], { description: 'The collection. Of every kind but an `export`.' })
const Filter = Type.Record(Type.String(), Type.Unknown(), {
  propertyNames: { type: 'string', maxLength: 60 },
  minProperties: 1,
  maxProperties: 50,
  description:
    'Of an `update` or a `delete`: which objects, by the filters of the list of `resource`, several values of one as a JSON array. `{"ids":["…"]}`, `{"status":["done"],"updatedBefore":"…"}`.',
})
const Changes = Type.Record(Type.String(), Type.Unknown(), {
  propertyNames: { type: 'string', maxLength: 60 },
  minProperties: 1,
  maxProperties: 50,
  description: 'Of an `update`: the changes, as the body of `PATCH /{resource}/{id}`.',
})
const ConfirmedTotal = Type.Integer({
  minimum: 0,
  maximum: jobRowsMax,
  description: 'Of an `update` or a `delete`: no more objects than this are changed. Required unless it is a dry run.',
})

const Format = Type.Enum(['ndjson', 'csv'], {
  description:
    'Of an `import`: JSON lines, each the body of a request that creates an object, or CSV with the names of the columns in its first line. Either may be compressed with gzip.',
})
const Text = Type.String({
  minLength: 1,
  maxLength: jobTextLengthMax,
  description: 'Of an `import`: the rows themselves.',
})
const RowsFile = Type.String({
  ...Id,
  description: 'Of an `import`: an uploaded file with the rows, in place of `text`. Needs `files:read`.',
})
const Charset = Type.Enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15'], {
  description: 'Of an `import`. Default: as its byte order mark says, otherwise `utf-8`.',
})
const Delimiter = Type.Enum([',', ';', '\t', '|'], {
  description: 'Of an `import` of CSV. Default: the one that the first line has most of.',
})
const fieldPath = (description: string) =>
  Type.String({ maxLength: 100, pattern: '^[a-zA-Z]\\w{0,49}(?:\\.[a-zA-Z]\\w{0,49}){0,2}$', description })
const ColumnTarget = Type.Union([
  fieldPath('The field, such as `name`, `amount.amount` or `customFields.size`.'),
  closed({
    field: fieldPath('The field, such as `emails`.'),
    separator: Type.Optional(
      Type.String({ minLength: 1, maxLength: 5, description: 'Between the values of a list. Default: `;`.' }),
    ),
    as: Type.Optional(
      Type.Enum(['string', 'number', 'boolean'], {
        description: 'The type of the value, for custom fields. Default: that of the field, otherwise text.',
      }),
    ),
  }),
])
export type ColumnTarget = Static<typeof ColumnTarget>
const Mapping = Type.Record(Type.String(), nullable(ColumnTarget), {
  propertyNames: { type: 'string', maxLength: 200 },
  minProperties: 1,
  maxProperties: 200,
  description:
    'Of an `import` of CSV: the field of each column; null leaves a column out, and no column may be missing. Default: columns have the names of their fields.',
})
const Defaults = Type.Record(Type.String(), Type.Unknown(), {
  propertyNames: { type: 'string', maxLength: 60 },
  minProperties: 1,
  maxProperties: 50,
  description:
    'Of an `import`: values of fields that a row does not have, such as `{"kind":"company","externalSource":"erp"}`.',
})

/** The fields by which a job is started, of every kind. */
const requestFields = {
  resources: Type.Optional(Resources),
  resource: Type.Optional(Resource),
  filter: Type.Optional(Filter),
  changes: Type.Optional(Changes),
  confirmedTotal: Type.Optional(ConfirmedTotal),
  format: Type.Optional(Format),
  text: Type.Optional(Text),
  fileId: Type.Optional(RowsFile),
  charset: Type.Optional(Charset),
  delimiter: Type.Optional(Delimiter),
  mapping: Type.Optional(Mapping),
  defaults: Type.Optional(Defaults),
  dryRun: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'An `update` or a `delete` only counts the objects, in the response. An `import` checks each batch of rows by itself, and keeps nothing.',
    }),
  ),
}
/** Of each kind: its fields, and which of them it needs. */
export const fieldsOfKind: Readonly<
  Record<JobKind, { readonly takes: readonly RequestField[]; readonly needs: readonly RequestField[] }>
> = {
  export: { takes: ['resources'], needs: [] },
  import: {
    takes: ['resource', 'format', 'text', 'fileId', 'charset', 'delimiter', 'mapping', 'defaults', 'dryRun'],
    needs: ['resource', 'format'],
  },
  update: {
    takes: ['resource', 'filter', 'changes', 'confirmedTotal', 'dryRun'],
    needs: ['resource', 'filter', 'changes'],
  },
  delete: { takes: ['resource', 'filter', 'confirmedTotal', 'dryRun'], needs: ['resource', 'filter'] },
}
type RequestField = keyof typeof requestFields
/** What a job is told, but for the rows of an import, which are kept with its files. */
const Request = closed(requestFields)
export type JobRequest = Omit<Static<typeof Request>, 'text'>
const ShownRequest = Type.Unsafe<JobRequest>(
  Type.Object({}, { additionalProperties: true, description: 'What the job was started with, without `text`.' }),
)

const Count = Type.Integer({ minimum: 0 })

const JobFile = closed({
  rows: Type.Integer({ minimum: 0, description: 'The lines.' }),
  bytes: Type.Integer({ minimum: 0, description: 'The size of the download.' }),
})

export const jobStatuses = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const
export const JobStatus = Type.Enum([...jobStatuses], {
  description:
    '`queued`: it waits for an earlier job of the workspace. `completed`: all of it was done. `failed`: it ended before that; `failure` says why.',
})
export type JobStatus = Static<typeof JobStatus>

const Failure = closed({
  code: Type.String({ maxLength: 60, description: 'The error code, as in a failed request.' }),
  detail: Type.String({ maxLength: 1_000, description: 'What happened.' }),
})

export const Job = closed({
  id: Id,
  object: Type.Literal('job'),
  workspaceId: Id,
  kind: Kind,
  status: JobStatus,
  failure: Type.Union([Failure, Type.Null()], { description: 'Why it has failed.' }),
  request: ShownRequest,
  scopes: Type.Array(Type.String({ maxLength: 80 }), {
    description: 'The scopes that it works with. A key needs them to see the job.',
  }),
  total: Type.Integer({ minimum: 0, description: 'The total of objects. 0 until they are counted.' }),
  done: Type.Integer({ ...Count, description: 'The objects that are done, including those that were rejected.' }),
  refused: Type.Integer({ ...Count, description: 'The objects that could not be changed.' }),
  sequence: Type.Integer({
    minimum: 0,
    description: 'The position of the feed at the start of the job: what happens later has a greater one.',
  }),
  result: Type.Union([JobFile, Type.Null()], {
    description: 'The file that `GET /jobs/{id}/result` returns; null before it exists.',
  }),
  refusals: Type.Union([JobFile, Type.Null()], {
    description: 'The file that `GET /jobs/{id}/refusals` returns; null before it exists, and if nothing was rejected.',
  }),
  createdAt: Timestamp,
  createdBy: Actor,
  updatedAt: Timestamp,
  endedAt: nullable(Timestamp),
  expiresAt: Type.Union([Timestamp, Type.Null()], {
    description: 'When the job and its files are deleted; null before it has ended.',
  }),
})
export type Job = Static<typeof Job>

/** The answer to a dry run: nothing was made, so it has no id and no state. */
const JobEstimate = closed({
  object: Type.Literal('job_estimate'),
  workspaceId: Id,
  kind: Kind,
  request: ShownRequest,
  total: Type.Integer({ minimum: 0, description: 'The objects that match. Send it as `confirmedTotal`.' }),
})

export const jobFinished = systemEvent('jobs.finished', Job, 'A job was completed, cancelled, or has failed.')

export const createJob = operation({
  name: 'jobs.create',
  http: 'POST /jobs',
  summary: 'Start a job',
  description: [
    'An `export` writes objects to a file, one JSON object a line, packed with gzip. The first line is `{"object":"export","sequence":…}`: read the feed from that `sequence` on, and the copy follows. The last line is `{"object":"export_end","counts":{…}}`. Objects are as in the API; deleted ones, and those of deleted projects, are left out.',
    'An `import` creates an object from each row, or updates the one with its `externalSource` and `externalId`. A rejected row does not stop the others.',
    'An `update` or a `delete` changes each object that `filter` matches once, oldest first. With `dryRun` they are counted; more than `confirmedTotal` are never changed.',
    `Each object is changed as by a request of its own. The job acts with the key of the request, which needs the scopes of what it does, and ends when the key is revoked. At most ${openJobsMax} jobs of a workspace wait or run; one runs at a time.`,
  ].join(' '),
  scope: 'jobs:write',
  audited: true,
  input: closed({ kind: Kind, ...requestFields }),
  output: Type.Union([Job, JobEstimate]),
  success: 202,
  errors: ['insufficient_scope', 'limit_reached', 'precondition_failed', 'reference_not_found', 'file_not_available'],
})

const audiences = ['api', 'settings'] as const

export const listJobs = operation({
  name: 'jobs.list',
  http: 'GET /jobs',
  summary: 'List jobs',
  description: 'Newest first. Jobs whose scopes the key does not hold are left out.',
  audiences,
  scope: 'jobs:read',
  input: closed({
    ...pageInput,
    kind: Type.Optional(Type.Array(Kind, { minItems: 1, maxItems: jobKinds.length, description: 'Any of these.' })),
    status: Type.Optional(
      Type.Array(JobStatus, { minItems: 1, maxItems: jobStatuses.length, description: 'Any of these.' }),
    ),
  }),
  output: pageOf(Job),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getJob = operation({
  name: 'jobs.get',
  http: 'GET /jobs/{id}',
  summary: 'Get a job',
  description: `Its progress and, at its end, the size of its result. Jobs are kept for ${jobKeptDays} days after they end.`,
  audiences,
  scope: 'jobs:read',
  input: closed({ id: Id }),
  output: Job,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const cancelJob = operation({
  name: 'jobs.cancel',
  http: 'POST /jobs/{id}/cancel',
  summary: 'Cancel a job',
  description: 'Changes that it has made stay. Cancelling a job that has ended changes nothing.',
  audiences,
  scope: 'jobs:write',
  audited: true,
  input: closed({ id: Id }),
  output: Job,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const getJobResult = operation({
  name: 'jobs.result',
  http: 'GET /jobs/{id}/result',
  summary: 'Download the result of a job',
  description:
    'A gzip file of JSON lines. Takes `Range`, to continue an interrupted download. Returns 404 before the job has completed.',
  audiences,
  scope: 'jobs:read',
  input: closed({ id: Id }),
  output: FileOutput,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'range_not_satisfiable'],
})

export const getJobRefusals = operation({
  name: 'jobs.refusals',
  http: 'GET /jobs/{id}/refusals',
  summary: 'Download the rejected rows or objects of a job',
  description:
    'A gzip file of JSON lines, one for each object that could not be changed: its `id`, and `code`, `detail` and `errors` as in a failed request. It is available when the job has ended, for whatever reason.',
  audiences,
  scope: 'jobs:read',
  input: closed({ id: Id }),
  output: FileOutput,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'range_not_satisfiable'],
})
