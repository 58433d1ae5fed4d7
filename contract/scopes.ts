// What a key may do. A scope is `<segment>:<access>`; write and delete imply read of the same segment.

const accesses = {
  projects: ['read', 'write', 'delete'],
  tasks: ['read', 'write', 'delete'],
  'crm-entities': ['read', 'write', 'delete'],
  documents: ['read', 'write', 'delete'],
  webhooks: ['read', 'write'],
  'api-keys': ['read', 'write', 'rotate-self'],
  workspaces: ['read', 'write'],
  resources: ['read'],
  members: ['read'],
  events: ['read'],
  deliveries: ['read', 'replay'],
  'audit-entries': ['read'],
} as const

export type Segment = keyof typeof accesses
export type Scope = { [S in Segment]: `${S}:${(typeof accesses)[S][number]}` }[Segment]

/** What can be read, written and deleted object by object: each is a collection (`contract/collection/`). */
export type CollectionSegment = {
  [S in Segment]: 'delete' extends (typeof accesses)[S][number] ? S : never
}[Segment]

export const collectionSegments = Object.entries(accesses).flatMap(([segment, names]) =>
  (names as readonly string[]).includes('delete') ? [segment as CollectionSegment] : [],
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
