// Who may import whom: between the top-level folders, and between the rooms (their folders). The linter holds it, type
// imports included, and test/import-rule.test.ts shows that it does.

import { posix } from 'node:path'

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
   * an entry they put everything together, so they may import all rooms, and a room imports them where it says so. `a/b`
   * is a folder in `a`, which is no room itself; `a/*` is each folder in `a`: a room of its own.
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
  responses: ['request', 'policies'],
  metrics: ['request'],
  overload: ['request'],
  keys: ['overload'],
  upstream: ['request', 'overload', 'keys', 'responses'],
  auth: ['request', 'keys', 'rate-limit', 'reports', 'overload', 'upstream'],
  downloads: ['request', 'auth'],
  calls: ['request', 'keys', 'auth', 'rate-limit', 'refusals', 'reports', 'responses', 'overload', 'upstream'],
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
  text: [],
  validation: ['text'],
  execution: ['faults', 'text', 'validation'],
  collection: ['faults', 'text', 'validation', 'execution'],
  http: ['faults', 'text', 'validation', 'execution'],
  'mcp/tools': ['faults', 'text', 'validation', 'execution'],
  'mcp/context': ['faults', 'text', 'validation', 'execution', 'collection', 'mcp/tools'],
  mcp: ['faults', 'text', 'validation', 'execution', 'http', 'mcp/tools', 'mcp/context'],
  ...nouns({
    audit: [],
    ledger: ['http'],
    comments: [],
    'identity/accounts': ['audit'],
    'identity/sessions': ['audit', 'identity/accounts'],
    'identity/email-changes': ['identity/accounts', 'identity/sessions'],
    'identity/access-resets': ['identity/accounts', 'identity/sessions'],
    members: ['identity/sessions'],
    'custom-fields': ['members'],
    'keys/key-policy': [],
    'keys/rate-limits': [],
    workspaces: ['audit', 'keys/key-policy', 'keys/rate-limits', 'members'],
    'identity/setup': ['identity/accounts', 'identity/sessions', 'members', 'workspaces'],
    'identity/invitations': ['identity/accounts', 'identity/sessions', 'members'],
    'identity/oidc': [
      'audit',
      'identity/accounts',
      'identity/sessions',
      'members',
      'workspaces',
      'identity/invitations',
    ],
    'keys/api-keys': ['keys/key-policy', 'keys/rate-limits', 'members', 'workspaces'],
    'keys/me': ['keys/key-policy', 'keys/rate-limits', 'keys/api-keys'],
    'keys/usage': ['keys/api-keys'],
    webhooks: ['keys/usage', 'ledger'],
    'member-access': ['members', 'keys/api-keys', 'webhooks'],
    deliveries: ['ledger', 'webhooks', 'http'],
    tasks: ['custom-fields'],
    projects: ['custom-fields', 'tasks'],
    'crm-entities': ['custom-fields', 'comments'],
    documents: [],
    search: [],
    resources: ['members', 'workspaces', 'crm-entities', 'documents', 'tasks', 'projects'],
  }),
}

/** What every noun may import, before what it takes from other nouns. */
function nouns(rooms: Rooms): Rooms {
  const shared = ['faults', 'text', 'validation', 'execution', 'collection']
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
  service: {
    folders: ['contract', 'runtime', 'prisma'],
    rooms: serviceRooms,
    owned: { 'openid-client': 'identity/oidc' },
  },
  dispatcher: { folders: ['contract', 'runtime', 'prisma'], rooms: dispatcherRooms },
  clients: { folders: ['contract'] },
  console: {
    folders: ['clients', 'contract', 'runtime'],
    rooms: consoleRooms,
    owned: { 'radix-ui': 'ui', vite: 'build' },
  },
  cli: { folders: ['clients', 'contract', 'runtime'] },
  bench: { folders: ['clients', 'contract', 'runtime'] },
  // Runs the tiers as processes; imports what serves the console, and what writes down usage.
  dev: { folders: ['clients', 'contract', 'runtime', 'prisma'], tiers: ['console', 'service', 'dispatcher'] },
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
  const fitting = allowed.map((name) => `${from(room, name)}/${name === '.' ? '*.ts' : '**'}`)
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

/** The path from files of the one room to the other, such as `../../faults`, or `../sessions` beside it. */
const from = (room: string, other: string): string =>
  room === '.' ? `./${other}`.replace(/\/\.$/, '') : posix.relative(room, other)

const within = (names: readonly string[]): string[] => names.map((name) => `${name}/**`)

const listed = (names: readonly string[]): string => names.join(', ') || 'nothing else'

const restricted = (files: string, patterns: readonly object[]) => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', object] },
})

/** A room that has rooms below it has the files beside them. */
function filesOf(folder: string, room: string, all: readonly string[]): string {
  if (room === '.') return `${folder}/*.ts`
  return `${folder}/${room}/${all.some((other) => other.startsWith(`${room}/`)) ? '*.ts' : '**'}`
}

/** The last that fits a file counts alone, so each room's says what its folder's says. */
export const importOverrides = Object.entries(importRule).flatMap(([folder, rule]) => [
  restricted(`${folder}/**`, betweenFolders(folder, rule)),
  ...Object.keys(rule.rooms ?? {}).map((room, _at, all) =>
    restricted(filesOf(folder, room, all), [
      ...betweenFolders(folder, rule),
      betweenRooms(folder, room, rule),
      ...ofOthers(room, rule),
    ]),
  ),
])
