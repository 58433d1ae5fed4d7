// The import rule: between the top-level folders, and between the modules (their folders). The linter holds it, type
// imports included, and test/import-rule.test.ts shows that it does.

import { posix } from 'node:path'

type Modules = Readonly<Record<string, readonly string[]>>
type Rule = {
  /** The top-level folders that are imported by name: `#runtime/…`. */
  readonly folders: readonly string[]
  /** The tiers that are imported by a relative path. */
  readonly tiers?: readonly string[]
  /** The packages that its modules may use, where not any may. Node's own modules count as packages. */
  readonly packages?: readonly string[]
  /**
   * Each module, the lowest first, with the modules that it may import. `.` stands for the files in the folder itself:
   * without an entry they put everything together, so they may import all modules, and a module imports them where it
   * says so. `a/b` is a folder in `a`, which is no module itself; `a/*` is each folder in `a`: a module of its own.
   */
  readonly modules?: Modules
  /** Packages that one module alone may use, with that module. */
  readonly owned?: Readonly<Record<string, string>>
}

const gatewayModules: Modules = {
  request: [],
  'rate-limit': ['request'],
  refusals: ['request'],
  reports: ['request'],
  responses: ['request'],
  metrics: ['request'],
  overload: ['request'],
  keys: ['overload'],
  upstream: ['request', 'overload', 'keys', 'responses'],
  auth: ['request', 'keys', 'rate-limit', 'reports', 'overload', 'upstream'],
  downloads: ['request', 'auth', 'rate-limit'],
  calls: ['request', 'keys', 'auth', 'rate-limit', 'refusals', 'reports', 'responses', 'overload', 'upstream'],
}

const dispatcherModules: Modules = {
  queue: [],
  'fan-out': ['queue'],
  attempt: ['queue'],
  results: ['queue', 'attempt'],
  inspector: ['queue', 'attempt'],
  metrics: [],
}

/** Pages know nothing of each other: what two of them show stands in `app`, or in `ui` where it knows no operation. */
const consoleModules: Modules = {
  build: [],
  ui: [],
  charts: ['ui'],
  app: ['ui'],
  history: ['ui', 'app'],
  usage: ['ui', 'charts', 'app'],
  'key-usage': ['ui', 'charts', 'app', 'usage', 'history'],
  'webhook-health': ['ui', 'charts', 'app'],
  'pages/*': ['ui', 'charts', 'app', 'history', 'usage', 'key-usage', 'webhook-health'],
  // The pages of the documentation, which the gateway makes: no React, and only styles of the console.
  docs: ['ui'],
}

/** Below are the modules that know no noun; then the nouns, in the order in which they build on each other. */
const serviceModules: Modules = {
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
    mail: [],
    audit: [],
    'api-calls': [],
    ledger: ['http'],
    comments: [],
    'identity/accounts': ['audit', 'mail'],
    'identity/second-factors': ['audit', 'identity/accounts'],
    'identity/sessions': ['audit', 'identity/accounts', 'identity/second-factors'],
    'identity/own-factors': ['audit', 'identity/accounts', 'identity/second-factors', 'identity/sessions'],
    'identity/email-changes': ['mail', 'identity/accounts', 'identity/sessions'],
    'identity/access-resets': ['audit', 'mail', 'identity/accounts', 'identity/second-factors', 'identity/sessions'],
    members: ['identity/sessions'],
    'custom-fields': ['members'],
    'keys/key-policy': [],
    'keys/rate-limits': [],
    workspaces: ['audit', 'keys/key-policy', 'keys/rate-limits', 'members'],
    'identity/setup': ['identity/accounts', 'identity/sessions', 'members', 'workspaces'],
    'identity/invitations': ['audit', 'mail', 'identity/accounts', 'identity/sessions', 'members'],
    'identity/oidc': [
      'audit',
      'mail',
      'identity/accounts',
      'identity/second-factors',
      'identity/sessions',
      'members',
      'workspaces',
      'identity/invitations',
    ],
    'keys/api-keys': ['keys/key-policy', 'keys/rate-limits', 'members', 'workspaces'],
    alarms: ['mail', 'identity/accounts', 'keys/api-keys'],
    'keys/me': ['keys/key-policy', 'keys/rate-limits', 'keys/api-keys'],
    'keys/usage': ['keys/api-keys'],
    webhooks: ['identity/second-factors', 'keys/usage', 'ledger'],
    'member-access': ['identity/sessions', 'members', 'keys/api-keys', 'webhooks'],
    deliveries: ['ledger', 'webhooks', 'http'],
    tasks: ['custom-fields'],
    projects: ['custom-fields', 'tasks'],
    'crm-entities': ['custom-fields', 'comments'],
    documents: [],
    files: ['http'],
    jobs: ['keys/api-keys', 'files'],
    'legal-holds': ['workspaces'],
    'workspace-deletions': ['workspaces', 'webhooks', 'files', 'legal-holds'],
    sandboxes: ['ledger', 'members', 'webhooks', 'workspaces'],
    search: [],
    resources: ['members', 'workspaces', 'crm-entities', 'documents', 'tasks', 'projects'],
  }),
}

/** What every noun may import, before what it takes from other nouns. */
function nouns(modules: Modules): Modules {
  const shared = ['faults', 'text', 'validation', 'execution', 'collection']
  return Object.fromEntries(Object.entries(modules).map(([name, others]) => [name, [...shared, ...others]]))
}

export const importRule: Readonly<Record<string, Rule>> = {
  contract: {
    folders: [],
    packages: ['typebox', 'node:crypto'],
    // A hash is pure. Browsers, which have no such module, load nothing of `internal`.
    owned: { 'node:crypto': 'internal' },
    modules: {
      '.': ['collection', 'faults'],
      faults: ['.'],
      collection: ['.', 'faults'],
      tools: ['.', 'collection', 'faults'],
      openapi: ['.', 'faults', 'tools'],
      requests: ['.', 'openapi'],
      internal: ['.', 'faults', 'openapi'],
    },
  },
  runtime: { folders: [] },
  prisma: { folders: ['runtime'] },
  gateway: { folders: ['contract', 'runtime'], modules: gatewayModules },
  service: {
    folders: ['contract', 'runtime', 'prisma'],
    modules: serviceModules,
    owned: { 'openid-client': 'identity/oidc', 'libphonenumber-js': 'text' },
  },
  // The inspector checks signatures with what receivers are given for it.
  dispatcher: { folders: ['clients', 'contract', 'runtime', 'prisma'], modules: dispatcherModules },
  clients: { folders: ['contract'] },
  console: {
    folders: ['clients', 'contract', 'runtime'],
    modules: consoleModules,
    owned: { 'radix-ui': 'ui', vite: 'build' },
  },
  cli: { folders: ['clients', 'contract', 'runtime'] },
  // One program measures a part of the gateway by itself.
  bench: { folders: ['clients', 'contract', 'runtime'], tiers: ['gateway'] },
  // Runs the tiers as processes; imports what serves the console, and what writes down usage.
  dev: { folders: ['clients', 'contract', 'runtime', 'prisma'], tiers: ['console', 'service', 'dispatcher'] },
  // Looks with the settings of the tiers, and with what they look with themselves.
  doctor: { folders: ['contract', 'runtime', 'prisma'], tiers: ['gateway', 'service', 'dispatcher', 'standalone'] },
  // Reads the settings of standalone, the store of files, and what seals.
  moving: { folders: ['contract', 'runtime', 'prisma'], tiers: ['service', 'standalone'] },
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

function betweenModules(folder: string, module: string, { packages, modules = {} }: Rule): object {
  const allowed = modules[module] ?? []
  const fitting = allowed.map((name) => `${from(module, name)}/${name === '.' ? '*.ts' : '**'}`)
  const message = `${module === '.' ? folder : `${folder}/${module}`} may import ${listed(allowed)}: see import-rule.ts.`
  // In one pattern: what one allows, the linter takes for allowed by all of them.
  if (packages !== undefined)
    return allBut('**', ['./*.ts', './*.json', ...fitting, ...packages, ...within(packages)], message)
  return allBut(module === '.' ? './*/**' : '../**', fitting, message)
}

/** The packages that belong to another module. */
const ofOthers = (module: string, { owned = {} }: Rule): object[] =>
  Object.entries(owned).flatMap(([name, owner]) =>
    owner === module ? [] : [{ group: [name, `${name}/**`], message: `Only ${owner} imports ${name}.` }],
  )

/** The path from files of the one module to the other, such as `../../faults`, or `../sessions` beside it. */
const from = (module: string, other: string): string =>
  module === '.' ? `./${other}`.replace(/\/\.$/, '') : posix.relative(module, other)

const within = (names: readonly string[]): string[] => names.map((name) => `${name}/**`)

const listed = (names: readonly string[]): string => names.join(', ') || 'nothing else'

const restricted = (files: string, patterns: readonly object[]) => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', object] },
})

/** A module that has modules below it has the files beside them. */
function filesOf(folder: string, module: string, all: readonly string[]): string {
  if (module === '.') return `${folder}/*.ts`
  return `${folder}/${module}/${all.some((other) => other.startsWith(`${module}/`)) ? '*.ts' : '**'}`
}

/** The last that fits a file counts alone, so each module's says what its folder's says. */
const ofFolders = Object.entries(importRule).flatMap(([folder, rule]) => [
  restricted(`${folder}/**`, betweenFolders(folder, rule)),
  ...Object.keys(rule.modules ?? {}).map((module, _at, all) =>
    restricted(filesOf(folder, module, all), [
      ...betweenFolders(folder, rule),
      betweenModules(folder, module, rule),
      ...ofOthers(module, rule),
    ]),
  ),
])

/** What is published stands alone, and runs wherever `fetch` does. */
const published = restricted('clients/typescript/src/**', [
  allBut('**', ['./*.ts'], 'The published client may import nothing but its own files.'),
])

export const importOverrides = [...ofFolders, published]
