// The values that examples have, by the name of the field, of the object and its field, or of the operation and its
// field.

/** When the object of an example was made, and when it was changed. */
export const exampleTimes = { made: '2026-01-12T09:30:00.000Z', changed: '2026-02-03T14:05:12.345Z' }

const at = exampleTimes

const ada = { type: 'user', id: exampleId('ownerId'), name: 'Ada Lovelace' }

const hash = 'c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a'

const apiAddress = '/api/v1/projects'

const batch = (made: object, known: object): object[] => [
  { action: 'create', data: made },
  { action: 'upsert', externalSource: 'erp', externalId: '4712', data: known },
]

/** Values in the body of one operation, by `<operation>.<field>`. Sending them as they are does no harm. */
const valuesInBodies = {
  'projects.batch.items': batch({ name: 'Website relaunch' }, { name: 'Quarterly planning', status: 'active' }),
  'tasks.batch.items': batch(
    { projectId: exampleId('projectId'), title: 'Draft the start page' },
    { projectId: exampleId('projectId'), title: 'Choose the colours', priority: 'high' },
  ),
  'crm-entities.batch.items': batch(
    { kind: 'company', name: 'Acme' },
    { kind: 'contact', firstName: 'Grace', lastName: 'Hopper' },
  ),
  'documents.batch.items': batch(
    { title: 'Handbook', content: '# Handbook\n\nWelcome.' },
    { title: 'Holidays', content: 'Ask in time.', folder: 'handbook/people' },
  ),
  'comments.batch.items': batch(
    { taskId: exampleId('taskId'), body: 'Looks good to me.' },
    { taskId: exampleId('taskId'), body: 'Done?' },
  ),
  'documents.edit.edits': [{ find: 'Welcome.', replace: 'Welcome aboard.' }],
  'files.quarantine.reason': 'Eicar-Signature',
  'legal-holds.set.reason': 'Case 4711',
  'files.create.name': 'minutes.txt',
  'files.create.type': 'text/plain',
  'files.create.bytes': 34,
  'deliveries.replay-many.filter': { status: ['dead_letter'] },
  'deliveries.replay-many.dryRun': true,
  'jobs.create.resources': ['crm-entities', 'comments'],
  'invitations.accept.name': 'Grace Hopper',
  'invitations.accept.email': 'grace@acme.example',
  'sessions.complete-at-provider.search': '?code=from-the-provider&state=from-the-beginning',
  'api-keys.create.description': 'Copies the projects to the data warehouse.',
  'api-keys.update.description': 'Copies the projects to the data warehouse.',
  'crm-entities.create.description': 'Customer since 2024.',
  'crm-entities.update.description': 'Customer since 2024.',
  'crm-entities.upsert.description': 'Customer since 2024.',
  'tasks.create.description': 'With the new pictures.',
  'tasks.update.description': 'With the new pictures.',
  'tasks.upsert.description': 'With the new pictures.',
}

/**
 * What the id of an object is called where another names it: by the tag of its operations, and by its field `object`.
 */
export const idNames: Readonly<Record<string, string>> = {
  projects: 'projectId',
  tasks: 'taskId',
  'crm-entities': 'companyId',
  documents: 'documentId',
  files: 'fileId',
  members: 'memberId',
  workspaces: 'workspaceId',
  'workspace-deletions': 'workspaceId',
  'legal-holds': 'workspaceId',
  'custom-fields': 'customFieldId',
  webhooks: 'webhookId',
  deliveries: 'deliveryId',
  events: 'eventId',
  'api-keys': 'apiKeyId',
  requests: 'loggedRequestId',
  alarms: 'alarmId',
  alarm: 'alarmId',
  sessions: 'sessionId',
  'email-changes': 'memberId',
  project: 'projectId',
  task: 'taskId',
  crm_entity: 'companyId',
  document: 'documentId',
  file: 'fileId',
  member: 'memberId',
  workspace: 'workspaceId',
  workspace_deletion: 'workspaceId',
  legal_hold: 'workspaceId',
  custom_field: 'customFieldId',
  webhook: 'webhookId',
  delivery: 'deliveryId',
  event: 'eventId',
  api_key: 'apiKeyId',
  logged_request: 'loggedRequestId',
  session: 'sessionId',
  comment: 'commentId',
  comments: 'commentId',
  attempt: 'attemptId',
  account: 'accountId',
  replay_job: 'replayJobId',
  jobs: 'jobId',
  job: 'jobId',
}

/** By `<field>`, and by `<object>.<field>` where objects differ. */
const values: Readonly<Record<string, unknown>> = {
  createdAt: at.made,
  grantedAt: at.made,
  updatedAt: at.changed,
  version: 3,
  createdBy: ada,
  updatedBy: ada,
  grantedBy: ada,
  actor: ada,
  name: 'Website relaunch',
  title: 'Draft the start page',
  identifier: 'WEB-42',
  number: 42,
  key: 'WEB',
  description: 'A new face for the old site.',
  labels: ['web'],
  tags: ['web'],
  color: '#3366ff',
  startDate: '2026-01-12',
  dueDate: '2026-03-31',
  estimateMinutes: 90,
  position: 1024,
  customFields: { contract_type: 'fixed' },
  externalSource: 'erp',
  externalId: '4711',
  source: 'erp',
  'crm_entity.name': 'Acme',
  'logged_request.method': 'GET',
  'logged_request.path': '/api/v1/webhooks',
  'logged_request.operation': 'webhooks.list',
  'logged_request.status': 403,
  'logged_request.ms': 3.2,
  'logged_request.code': 'insufficient_scope',
  'logged_request.detail': 'The request requires the scope webhooks:read.',
  'logged_request.objectId': null,
  apiKeyName: 'Nightly sync',
  apiKeyPrefix: 'wsk_a1b2c3d4',
  'audit_entry.actor': { ...ada, keyPrefix: null },
  domains: ['acme.example'],
  website: 'https://acme.example',
  industry: 'Manufacturing',
  employeeCount: 120,
  phones: ['+49 30 123456'],
  firstName: 'Grace',
  lastName: 'Hopper',
  jobTitle: 'Head of IT',
  street: 'Hauptstr. 1',
  city: 'Berlin',
  region: 'Berlin',
  postalCode: '10115',
  country: 'DE',
  amount: { amount: '1250.00', currency: 'EUR' },
  probability: 40,
  lostReason: null,
  'file.name': 'minutes.txt',
  'file.type': 'text/plain',
  bytes: 34,
  'document.title': 'Handbook',
  content: '# Handbook\n\nWelcome.',
  summary: 'How we work.',
  folder: 'handbook/people',
  wordCount: 2,
  checksum: hash,
  hash,
  previousHash: hash,
  lastHash: hash,
  body: 'Looks good to me.',
  'member.name': 'Ada Lovelace',
  'account.name': 'Ada Lovelace',
  'setup.complete.name': 'Ada Lovelace',
  'setup.complete.workspaceName': 'Acme',
  token: 'from-the-link-of-the-start',
  invitation: 'from-the-link-of-an-invitation',
  flow: 'from-the-beginning-of-the-sign-in',
  signIn: 'from-the-first-step-of-the-sign-in',
  setup: 'from-the-beginning-of-the-setup',
  challenge: 'from-the-beginning-of-the-sign-in',
  'passkey.name': 'Laptop',
  'passkeys.create.name': 'Laptop',
  'sessions.complete-with-code.code': '492039',
  'sessions.confirm.code': '492039',
  'second-factors.enable-authenticator.code': '492039',
  password: 'seven small turtles sing',
  currentPassword: 'what it was before',
  newPassword: 'seven small turtles sing',
  newEmail: 'ada.lovelace@acme.example',
  email: 'ada@acme.example',
  emails: ['grace@acme.example'],
  timeZone: 'Europe/Berlin',
  defaultCurrency: 'EUR',
  defaultCountry: 'DE',
  'workspace.name': 'Acme',
  'workspace_deletion.createdBy': { type: 'system', id: 'operator', name: 'Operator' },
  'workspace_deletion.removed': { project: 2, workspace: 1 },
  'legal_hold.createdBy': { type: 'system', id: 'operator', name: 'Operator' },
  'legal_hold.reason': 'Case 4711',
  confirm: 'acme',
  slug: 'acme',
  keyPrefix: 'wsk_a1b2c3d4',
  prefix: 'wsk_a1b2c3d4',
  'webhook.name': 'Deployments',
  'api_key.name': 'Nightly sync',
  url: 'https://hooks.acme.example/workspace',
  headers: { 'x-team': 'platform' },
  headerNames: ['x-team'],
  eventTypes: ['projects.*'],
  secret: 'shown-once',
  eventType: 'projects.updated',
  lastStatusCode: 200,
  attemptCount: 1,
  maxAttempts: 10,
  changes: { status: { from: 'planned', to: 'active' } },
  sequence: 1042,
  lastSequence: 1042,
  'event.type': 'projects.updated',
  'event.resource': { type: 'projects', id: exampleId('projectId'), kind: null, version: 3 },
  'custom_field.key': 'contract_type',
  'custom_field.type': 'select',
  label: 'Contract type',
  options: ['fixed', 'hourly'],
  overlapHours: 24,
  atomic: true,
  uri: 'workspace://overview',
  text: '# Acme\n\n3 projects.',
  mimeType: 'text/markdown',
  size: 19,
  'resource.name': 'overview',
  'resource.title': 'Overview',
  'resource.description': 'What there is here.',
  requestId: exampleId('requestId'),
  ip: '192.0.2.10',
  userAgent: 'sync/1.2',
  surface: 'http',
  total: 3,
  value: 'active',
  nextCursor: null,
  hasMore: false,
  limit: 50,
  scopes: ['projects:read'],
  scope: 'projects:read',
  instance: apiAddress,
  ...valuesInBodies,
}

/** Null in the example of an object that nothing has happened to yet. */
export const fieldsShownAsNull: readonly string[] = [
  'deletedAt',
  'completedAt',
  'archivedAt',
  'closedAt',
  'detectedType',
  'quarantineReason',
  'mergedIntoId',
  'parentTaskId',
  'parentCompanyId',
  'revokedAt',
  'revokedBy',
  'suspendedAt',
  'disabledReason',
  'previousSecretExpiresAt',
  'nextCursor',
  'endedAt',
  'deadLetteredAt',
  'nextAttemptAt',
  'lastErrorCode',
  'errorCode',
  'lostReason',
  'code',
  'problem',
  'openUntil',
]

/** Fields that are in the example of a body although they are not required: `<field>`, or `<operation>.<field>`. */
export const optionalFieldsShown: readonly string[] = [
  'name',
  'title',
  'status',
  'priority',
  'labels',
  'tags',
  'dueDate',
  'description',
  'overlapHours',
  'label',
  'content',
  'timeZone',
  'body',
  'eventTypes',
  'atomic',
  'preset',
  'comments.create.taskId',
  'comments.upsert.taskId',
  'custom-fields.create.options',
  'jobs.create.resources',
  'files.create.type',
  'deliveries.replay-many.dryRun',
  'invitations.accept.email',
  'invitations.accept.password',
]

export const valuesByFormat: Readonly<Record<string, string>> = {
  date: '2026-03-31',
  'date-time': at.changed,
  email: 'ada@acme.example',
  'idn-email': 'ada@acme.example',
  iri: 'https://hooks.acme.example/workspace',
  line: 'text',
  'identity-name': 'text',
  'event-type': 'projects.created',
  'event-pattern': 'projects.*',
  'ip-or-cidr': '192.0.2.0/24',
  'audited-action': 'api-keys.create',
}

export const valuesByPattern: Readonly<Record<string, string>> = {
  '^[1-5](?:\\d\\d|xx)$': '4xx',
  '^[A-Z]{2}$': 'DE',
  '^[A-Z]{3}$': 'EUR',
  '^[0-9a-f]{64}$': hash,
}

/** Undefined when there is no value for this field of this operation. */
export const valueInBodyOf = (operation: string, field: string): unknown => values[`${operation}.${field}`]

/** `about`: the object that has the field. Undefined when there is no value of this JSON type. */
export function valueOfField(field: string, about: string, type: string | undefined): unknown {
  const value = values[`${about}.${field}`] ?? values[field]
  return value !== undefined && (type === undefined || type === typeOf(value)) ? value : undefined
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

/** A UUID version 7 that depends on the name of the field only. */
export function exampleId(field: string): string {
  const hashed = field.split('').reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7)
  return `019b8f3e-6a00-7000-8000-${hashed.toString(16).padStart(12, '0')}`
}

/**
 * The value of a parameter of the path: in its description, in the paths of examples and in the command line's help.
 */
export function exampleInPath(operation: string, parameter: string): string {
  if (parameter === 'source') return String(values['externalSource'])
  if (parameter === 'externalId') return String(values['externalId'])
  if (parameter === 'eventType') return valuesByFormat['event-type'] ?? ''
  if (parameter !== 'id') return exampleId(parameter)
  if (operation.endsWith('replay-job')) return exampleId('replayJobId')
  return exampleId(idNames[operation.split('.')[0] ?? ''] ?? 'id')
}
