// The permissions of a key. A scope is `<segment>:<access>`; write and delete imply read of the same segment.

const accesses = {
  projects: ['read', 'write', 'delete'],
  tasks: ['read', 'write', 'delete'],
  'crm-entities': ['read', 'write', 'delete'],
  documents: ['read', 'write', 'delete'],
  files: ['read', 'write', 'delete', 'release'],
  webhooks: ['read', 'write'],
  'api-keys': ['read', 'write', 'rotate-self'],
  workspaces: ['read', 'write'],
  resources: ['read'],
  members: ['read'],
  events: ['read'],
  deliveries: ['read', 'replay'],
  'audit-entries': ['read'],
  requests: ['read'],
  jobs: ['read', 'write'],
  imports: ['write'],
} as const

type Accesses = typeof accesses
/** Imports have no resource of their own: they write others. */
export type Segment = Exclude<keyof Accesses, 'imports'>
export type Scope = { [S in keyof Accesses]: `${S}:${Accesses[S][number]}` }[keyof Accesses]

/**
 * What can be read, written and deleted object by object: each is a collection (`contract/collection/`), but for files,
 * whose bytes come by themselves.
 */
export type CollectionSegment = Exclude<
  { [S in Segment]: 'delete' extends (typeof accesses)[S][number] ? S : never }[Segment],
  'files'
>

/** What has the operations of a collection. Comments have no scopes of their own, but those of what they are on. */
export type CollectedSegment = CollectionSegment | 'comments'

export const collectionSegments = Object.entries(accesses).flatMap(([segment, names]) =>
  (names as readonly string[]).includes('delete') && segment !== 'files' ? [segment as CollectionSegment] : [],
)

export const scopes: readonly Scope[] = Object.entries(accesses).flatMap(([segment, names]) =>
  names.map((access) => `${segment}:${access}` as Scope),
)

/** Do the held scopes permit what needs this scope? */
export function covers(held: readonly string[], needed: Scope): boolean {
  if (held.includes(needed)) return true
  const [segment, access] = needed.split(':')
  return access === 'read' && (held.includes(`${segment}:write`) || held.includes(`${segment}:delete`))
}

/** The scope that reading an event of this type needs: `projects.updated` needs `projects:read`. */
export const readScopeOf = (eventType: string): Scope => `${eventType.split('.')[0] as Segment}:read`

// What each scope allows, in one sentence. A scope without a description does not compile.

const descriptions: Readonly<Record<Scope, string>> = {
  'projects:read': 'See projects and the comments on them, and receive their events.',
  'projects:write': 'Create and change projects, archive and restore them, and comment on them.',
  'projects:delete': 'Delete projects, which hides their tasks and documents.',
  'tasks:read': 'See tasks and the comments on them, and receive their events.',
  'tasks:write': 'Create, change and restore tasks, and comment on them.',
  'tasks:delete': 'Delete tasks.',
  'crm-entities:read': 'See companies, contacts and deals, and the comments on them, and receive their events.',
  'crm-entities:write': 'Create, change and restore companies, contacts and deals, and comment on them.',
  'crm-entities:delete': 'Delete companies, contacts and deals; with write, merge them.',
  'documents:read': 'See documents with their content, and receive their events.',
  'documents:write': 'Create, change and restore documents.',
  'documents:delete': 'Delete documents.',
  'files:read': 'See files and download them, and receive their events.',
  'files:write': 'Upload files and restore them.',
  'files:delete': 'Delete files.',
  'files:release': 'Release and quarantine files, and download those that are not released: for virus scanners.',
  'webhooks:read': 'See webhooks whose events the key may read itself.',
  'webhooks:write': 'Create, change, test, pause and delete webhooks for events that the key may read itself.',
  'api-keys:read':
    'Receive events of keys that were created, rotated and revoked. The keys themselves are shown in the workspace settings.',
  'api-keys:write':
    'Receive the same events as with api-keys:read. Keys are created and changed only in the workspace settings.',
  'api-keys:rotate-self': 'Rotate the secret of the calling key.',
  'workspaces:read': 'See the workspace, its limits and its custom fields.',
  'workspaces:write': 'Change the workspace’s name and time zone, and its custom fields.',
  'resources:read': 'Read the guides about the workspace, for people and for AI models.',
  'members:read': 'See the members of the workspace with their addresses, and receive their events.',
  'events:read': 'Read the events of objects that the key may read.',
  'deliveries:read': 'See deliveries to webhooks, with each attempt and its response.',
  'deliveries:replay': 'Resend deliveries.',
  'jobs:read': 'See jobs whose scopes the key holds, with their progress, and download their results.',
  'jobs:write': 'Start and cancel jobs, which do what the other scopes of the key allow.',
  'audit-entries:read': 'Read the audit log of changes to keys, webhooks, members and policies.',
  'requests:read': 'Read the API log: the requests of all keys, with their addresses and why each was rejected.',
  'imports:write':
    'Give objects that come from another system their history: when and by whom they were made, and the numbers of tasks. Needs the write scope of the objects as well.',
}

export const meaningOfScope = (scope: Scope): string => descriptions[scope]
