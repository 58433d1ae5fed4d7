// The whole product in this process: on embedded parts, or on Postgres, Redis and RabbitMQ with the same code. Each
// system has a database, queues and channels of its own.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { closeAll } from '#runtime/process.ts'
import { startTiers, type Settings, type Tiers } from '../../standalone/tiers.ts'
import { clientOf, type Client, type Tenant } from './client.ts'
import { connectionsOfTests, freshDatabase, type FreshDatabase } from './database.ts'
import { dropQueues } from './drop-queues.ts'
import { late } from './late.ts'
import { firstOwner, type Person } from './person.ts'
import { services } from './services.ts'
import { rm } from 'node:fs/promises'
import { diskStore } from '../../service/files/store.ts'
import { filesFolder, unusedStore } from './file-store.ts'

export { must, type Answer, type Tenant } from './client.ts'
export type Mode = 'standalone' | 'distributed'
export type System = Client &
  AsyncDisposable & {
    readonly operatorToken: string
    readonly settings: Settings
    readonly db: FreshDatabase['db']
    readonly metrics: Tiers['metrics']
    /** Where the bytes of its files are, unless it was started with another store. */
    readonly filesFolder: string
  }

const ample = { perMinute: 600_000, burst: 100_000 }

const absent = Object.entries(services()).flatMap(([name, url]) => (url === null ? [name] : []))

/** The modes that this machine has the services for. */
export const modes: Mode[] = absent.length > 0 ? ['standalone'] : ['standalone', 'distributed']

/** Runs the tests in both modes. When a service is missing, that mode is skipped by name. */
export function describeModes(name: string, stories: (mode: Mode) => void): void {
  describeMode(name, 'standalone', stories)
  describeMode(name, 'distributed', stories)
}

/** For what the modes cannot differ in, or what only one of them can break. */
export function describeMode(name: string, mode: Mode, stories: (mode: Mode) => void): void {
  const isLacking = !modes.includes(mode)
  const label = isLacking ? `${mode}: there is no ${absent.join(', ')}` : mode
  describe.skipIf(isLacking)(`${name}, ${label}`, () => {
    stories(mode)
  })
}

/** The same on the real servers where they are, else on the embedded parts. */
export const describeOnce = (name: string, stories: (mode: Mode) => void): void =>
  describeMode(name, modes.at(-1) ?? 'standalone', stories)

// Opened when the first file of a worker asks for it, closed when the worker ends. Vitest requires the empty pattern.
/* oxlint-disable eslint/no-empty-pattern */
const sharing = test
  .extend('standalone', { scope: 'worker' }, async ({}, { onCleanup }) => openShared('standalone', onCleanup))
  .extend('distributed', { scope: 'worker' }, async ({}, { onCleanup }) => openShared('distributed', onCleanup))
/* oxlint-enable eslint/no-empty-pattern */

async function openShared(mode: Mode, onCleanup: (close: () => Promise<void>) => void): Promise<System> {
  const system = await startSystem(mode)
  onCleanup(async () => system[Symbol.asyncDispose]())
  return system
}

/**
 * A system that all files of a worker share, and a workspace of the caller's own in it, with a key that has all scopes.
 * For tests that change only their workspace: one that needs a setting, counts over all workspaces, signs people in or
 * stops a part starts a system of its own. Both answer in tests and hooks, not before.
 */
export function sharedSystem(mode: Mode): { readonly system: System; readonly tenant: Tenant } {
  const opened: { system?: System; tenant?: Tenant } = {}
  const open = async (system: System): Promise<void> => {
    Object.assign(opened, { system, tenant: await system.tenant() })
  }
  if (mode === 'standalone') sharing.beforeAll(async ({ standalone }) => open(standalone))
  else sharing.beforeAll(async ({ distributed }) => open(distributed))
  return { system: late(() => opened.system), tenant: late(() => opened.tenant) }
}

/**
 * A system of the caller's own, in which people sign in, and its first account, which owns the workspace Acme. The
 * attempts of one test do not count in the next. Both answer in tests and hooks, not before.
 */
export function systemWithOwner(mode: Mode): { readonly system: System; readonly owner: FirstOwner } {
  const opened: { system?: System; owner?: FirstOwner } = {}
  beforeAll(async () => {
    opened.system = await startSystem(mode)
    opened.owner = await firstOwner(opened.system, { workspaceName: 'Acme' })
  })
  afterAll(() => opened.system?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await opened.system?.db.signInAttempt.deleteMany()
  })
  return { system: late(() => opened.system), owner: late(() => opened.owner) }
}
type FirstOwner = Person & { readonly workspaceId: string }

/** `log`: that of all tiers. `own`: a database that is not as any other; it is closed with the system. */
export async function startSystem(
  mode: Mode,
  change: Partial<Settings> = {},
  log = logger(process.env['LOG_LEVEL'] ?? 'fatal', 'test'),
  own?: FreshDatabase,
): Promise<System> {
  const database = own ?? (await freshDatabase(mode === 'standalone' ? 'pglite' : 'postgres'))
  const folder = filesFolder()
  const settings = { ...settingsFor(mode), fileStore: diskStore(folder), ...change }
  const tiers = await startTiers(settings, database.db, log, database)
  const { operatorToken } = settings
  const close = async () => {
    await closeAll([database, tiers])
    await rm(folder, { recursive: true, force: true })
    if (settings.amqpUrl !== null) await dropQueues(settings.amqpUrl, settings.brand)
  }
  return {
    ...clientOf(tiers.url, operatorToken),
    operatorToken,
    settings,
    db: database.db,
    metrics: tiers.metrics,
    filesFolder: folder,
    [Symbol.asyncDispose]: close,
  }
}

export function settingsFor(mode: Mode): Settings {
  const { redis, rabbit } = mode === 'distributed' ? services() : { redis: null, rabbit: null }
  return {
    host: '127.0.0.1',
    port: 0,
    redisUrl: redis,
    amqpUrl: rabbit,
    internalSecret: randomUUID() + randomUUID(),
    operatorToken: randomUUID() + randomUUID(),
    brand: `test-${randomUUID().slice(0, 8)}`,
    trustedProxies: [],
    publicUrl: null,
    allowedOrigins: [],
    webhookAllowCidrs: ['127.0.0.0/8'],
    webhookAllowHttp: true,
    webhookHostPerSecond: 1_000_000,
    databasePool: connectionsOfTests,
    retrySchedule: [1, 1, 1],
    // Only tests of the limits shall meet them.
    rates: { key: ample, workspace: ample },
    failedCredentialsPerMinute: 10_000,
    fileStore: unusedStore(),
  }
}
