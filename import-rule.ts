// Who may import whom: between the top-level folders, and between the rooms (their folders). The linter holds it, type
// imports included, and test/import-rule.test.ts shows that it does.

type Rooms = Readonly<Record<string, readonly string[]>>
type Rule = {
  /** The top-level folders that are imported by name: `#runtime/…`. */
  readonly folders: readonly string[]
  /** The tiers that are imported by a relative path. */
  readonly tiers?: readonly string[]
  /** The packages that its rooms may use, where not any may. Node's own modules count as packages. */
  readonly packages?: readonly string[]
  /**
   * Each room, the lowest first, with the rooms that it may import. `.` stands for the files in the folder itself: without
   * an entry they put everything together, so they may import all rooms, and a room imports them where it says so. `a/*`
   * is each folder in `a`: a room of its own.
   */
  readonly rooms?: Rooms
  /** Packages that one room alone may use, with that room. */
  readonly owned?: Readonly<Record<string, string>>
}

const gatewayRooms: Rooms = {
  request: [],
  'rate-limit': ['request'],
  refusals: ['request'],
  reports: ['request'],
  responses: ['request'],
  metrics: ['request'],
  overload: ['request'],
  keys: ['overload'],
  upstream: ['request', 'overload', 'keys'],
  auth: ['request', 'keys', 'rate-limit', 'reports', 'overload', 'upstream'],
  downloads: [],
  docs: ['request', 'auth', 'responses', 'downloads'],
  console: ['request', 'downloads'],
}

const dispatcherRooms: Rooms = {
  queue: [],
  'fan-out': ['queue'],
  attempt: ['queue'],
  results: ['queue', 'attempt'],
  metrics: [],
}

/** Pages know nothing of each other: what two of them show stands in `app`, or in `ui` where it knows no operation. */
const consoleRooms: Rooms = {
  build: [],
  ui: [],
  charts: ['ui'],
  app: ['ui'],
  usage: ['ui', 'charts', 'app'],
  'key-usage': ['ui', 'charts', 'app', 'usage'],
  'pages/*': ['ui', 'charts', 'app', 'usage', 'key-usage'],
}

/** Below are the rooms that know no noun; then the nouns, in the order in which they build on each other. */
const serviceRooms: Rooms = {
  faults: [],
  metrics: [],
  'object-versions': [],
  text: [],
  lists: ['text'],
  validation: ['text', 'lists'],
  execution: ['faults', 'text', 'validation'],
  http: ['faults', 'text', 'lists', 'validation', 'execution'],
  live: ['faults', 'text', 'lists', 'validation', 'execution', 'http'],
  'mcp-tools': ['faults', 'text', 'lists', 'validation', 'execution'],
  'mcp-context': ['faults', 'text', 'lists', 'execution', 'mcp-tools'],
  mcp: ['faults', 'text', 'execution', 'http', 'live', 'mcp-tools', 'mcp-context'],
  ...nouns({
    activity: [],
    audit: [],
    outbox: [],
    events: ['outbox', 'live'],
    comments: [],
    accounts: ['audit'],
    sessions: ['audit', 'accounts'],
    'email-changes': ['accounts', 'sessions'],
    'access-resets': ['accounts', 'sessions'],
    members: ['sessions'],
    'custom-fields': ['members'],
    collection: ['custom-fields'],
    'key-policy': [],
    'rate-limits': [],
    workspaces: ['audit', 'key-policy', 'rate-limits', 'members'],
    setup: ['accounts', 'sessions', 'members', 'workspaces'],
    invitations: ['accounts', 'sessions', 'members'],
    oidc: ['audit', 'accounts', 'sessions', 'members', 'workspaces', 'invitations'],
    'api-keys': ['activity', 'key-policy', 'rate-limits', 'members', 'workspaces'],
    me: ['key-policy', 'rate-limits', 'api-keys'],
    webhooks: ['activity', 'events'],
    'member-access': ['members', 'api-keys', 'webhooks'],
    deliveries: ['events', 'webhooks', 'live'],
    tasks: ['collection'],
    projects: ['collection', 'tasks'],
    'crm-entities': ['collection', 'comments'],
    documents: ['collection'],
    references: ['members', 'tasks'],
    'outdated-references': ['collection', 'crm-entities'],
    refusals: [],
    usage: ['activity', 'api-keys'],
    search: ['collection'],
    resources: ['members', 'workspaces', 'crm-entities', 'documents', 'tasks', 'projects'],
  }),
}

/** What every noun may import, before what it takes from other nouns. */
function nouns(rooms: Rooms): Rooms {
  const shared = ['faults', 'object-versions', 'text', 'lists', 'validation', 'execution']
  return Object.fromEntries(Object.entries(rooms).map(([name, others]) => [name, [...shared, ...others]]))
}

export const importRule: Readonly<Record<string, Rule>> = {
  contract: {
    folders: [],
    packages: ['typebox', 'node:crypto'],
    // A hash is pure. Browsers, which have no such module, load nothing of `internal`.
    owned: { 'node:crypto': 'internal' },
    rooms: {
      '.': ['collection', 'faults'],
      faults: ['.'],
      collection: ['.', 'faults'],
      tools: ['.', 'collection', 'faults'],
      openapi: ['.', 'faults', 'tools'],
      internal: ['.', 'faults', 'openapi'],
    },
  },
  runtime: { folders: [] },
  prisma: { folders: ['runtime'] },
  gateway: { folders: ['contract', 'runtime'], rooms: gatewayRooms },
  service: { folders: ['contract', 'runtime', 'prisma'], rooms: serviceRooms, owned: { 'openid-client': 'oidc' } },
  dispatcher: { folders: ['contract', 'runtime', 'prisma'], rooms: dispatcherRooms },
  clients: { folders: ['contract'] },
  console: {
    folders: ['clients', 'contract', 'runtime'],
    rooms: consoleRooms,
    owned: { 'radix-ui': 'ui', vite: 'build' },
  },
  cli: { folders: ['clients', 'contract', 'runtime'] },
  bench: { folders: ['clients', 'contract', 'runtime'] },
  standalone: { folders: ['contract', 'runtime', 'prisma'], tiers: ['gateway', 'service', 'dispatcher'] },
}

const everyFolder = [...Object.keys(importRule), 'docs', 'test']

/** In the order of the linter's patterns: all of it, but for these. */
const allBut = (all: string, allowed: readonly string[], message: string) => ({
  group: [all, ...allowed.map((each) => `!${each}`)],
  message,
})

function betweenFolders(folder: string, { folders, tiers = [] }: Rule): object[] {
  const crossed = everyFolder.filter((name) => !tiers.includes(name))
  const names = folders.map((name) => `#${name}`)
  return [
    {
      regex: `^(\\.\\./)+(${crossed.join('|')})/`,
      message: 'Relative imports stay inside a top-level folder; borders are crossed by name.',
    },
    allBut('#*/**', within(names), `${folder} may import ${listed(names)} by name.`),
  ]
}

function betweenRooms(folder: string, room: string, { packages, rooms = {} }: Rule): object {
  const allowed = rooms[room] ?? []
  const start = room === '.' ? '.' : room.replaceAll(/[^/]+/g, '..')
  const fitting = allowed.map((name) => (name === '.' ? `${start}/*.ts` : `${start}/${name}/**`))
  const message = `${room === '.' ? folder : `${folder}/${room}`} may import ${listed(allowed)}: see import-rule.ts.`
  // In one pattern: what one allows, the linter takes for allowed by all of them.
  if (packages !== undefined)
    return allBut('**', ['./*.ts', './*.json', ...fitting, ...packages, ...within(packages)], message)
  return allBut(room === '.' ? './*/**' : '../**', fitting, message)
}

/** The packages that belong to another room. */
const ofOthers = (room: string, { owned = {} }: Rule): object[] =>
  Object.entries(owned).flatMap(([name, owner]) =>
    owner === room ? [] : [{ group: [name, `${name}/**`], message: `Only ${owner} imports ${name}.` }],
  )

const within = (names: readonly string[]): string[] => names.map((name) => `${name}/**`)

const listed = (names: readonly string[]): string => names.join(', ') || 'nothing else'

const restricted = (files: string, patterns: readonly object[]) => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', object] },
})

/** The last that fits a file counts alone, so each room's says what its folder's says. */
export const importOverrides = Object.entries(importRule).flatMap(([folder, rule]) => [
  restricted(`${folder}/**`, betweenFolders(folder, rule)),
  ...Object.keys(rule.rooms ?? {}).map((room) =>
    restricted(room === '.' ? `${folder}/*.ts` : `${folder}/${room}/**`, [
      ...betweenFolders(folder, rule),
      betweenRooms(folder, room, rule),
      ...ofOthers(room, rule),
    ]),
  ),
])
