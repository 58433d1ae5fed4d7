// Each alert is brought about once by what it is about, fires, and clears again. The figures are those of real
// processes; promtool evaluates the rules over them.
import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Metric } from '#runtime/metrics/metric.ts'
import { processMetrics } from '#runtime/metrics/common-metrics.ts'
import { dispatcherMetrics } from '../../dispatcher/metrics/dispatcher-metrics.ts'
import { gatewayMetrics } from '../../gateway/metrics/gateway-metrics.ts'
import { serviceMetrics } from '../../service/metrics.ts'
import { must, type Tenant } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import {
  alertsFile,
  firingIn,
  lacksPromtool,
  mistakesIn,
  snapshot,
  type Phase,
  type Snapshot,
} from '../support/prometheus.ts'
import { startReceiver } from '../support/receiver.ts'
import type { Env } from '../support/processes.ts'
import { freePort } from '../support/servers/server.ts'
import { modes } from '../support/system.ts'
import { answers, callTool, openScene, sealingKey, useIt, type Scene } from './scene.ts'

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
const text = readFileSync(alertsFile, 'utf8')
const { groups } = parse(text) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const root = join(import.meta.dirname, '../..')
const declared: Metric[] = [gatewayMetrics, serviceMetrics, dispatcherMetrics, processMetrics].flatMap((metrics) =>
  Object.values(metrics),
)

const minutesWell = 15
const withinMs = 60_000
/** As long as it takes until an alert fires or has cleared: its `for` and its longest range, and some. */
function minutesOf({ expr, for: wait = '0m' }: Rule): number {
  const unit = { s: 1 / 60, m: 1, h: 60 }
  const times = Array.from(
    `${expr}[${wait}]`.matchAll(/\[(\d+)([smh])\]/g),
    ([, count, of]) => Number(count) * unit[of as 's'],
  )
  return Math.ceil(times.reduce((sum, each) => sum + each, 5))
}

describe.skipIf(lacksPromtool || !modes.includes('distributed'))('what is brought about', () => {
  let phases: Readonly<Record<string, Phase>>
  beforeAll(async () => {
    await using scene = await openScene()
    phases = await tellStory(scene)
  }, 300_000)

  test('nothing fires while all is well', () => {
    expect(firingIn([[phases['healthy']!, 75]])).toBe('')
  })

  test('each alert fires, and clears again', () => {
    const expectations = rules.map((rule) => {
      const { alert, expr } = rule
      const minutes = minutesOf(rule)
      const { provoked, cleared } = broughtAbout[alert]!
      const steps = provoked.map((name) => [phases[name]!, provoked.length > 1 ? 5 : minutes] as const)
      const story = [[phases['healthy']!, minutesWell] as const, ...steps, [phases[cleared]!, minutes] as const]
      return { alert, expr, story, firesIn: [steps.length] }
    })

    expect(mistakesIn(expectations)).toBe('')
  })
})

/** In which phases each fires at the end of the last, and by which it has cleared. */
const broughtAbout: Readonly<Record<string, { readonly provoked: readonly string[]; readonly cleared: string }>> = {
  CallsFail: { provoked: ['database away'], cleared: 'database back' },
  DependencyAway: { provoked: ['database away'], cleared: 'database back' },
  GatewayIsSlow: { provoked: ['database slow'], cleared: 'healthy' },
  DatabaseSlotsAreShort: { provoked: ['database slow'], cleared: 'healthy' },
  LimitsAreApproximate: { provoked: ['redis away'], cleared: 'redis back' },
  DispatcherWithoutBroker: { provoked: ['broker away'], cleared: 'broker back' },
  AuditIncomplete: { provoked: ['audit fails'], cleared: 'audit works' },
  DeliveriesDie: { provoked: ['receiver fails'], cleared: 'receiver works' },
  TierIsMissing: { provoked: ['no dispatcher'], cleared: 'dispatcher back' },
  WebhooksAreLate: { provoked: ['no dispatcher'], cleared: 'dispatcher back' },
  ProcessRestarts: {
    provoked: ['no service', 'wrong service', 'service back', 'service again'],
    cleared: 'service again',
  },
  ProcessIsBusy: { provoked: ['flood'], cleared: 'after the flood' },
  EmailsAreLate: { provoked: ['email late'], cleared: 'emails given up' },
  EmailsAreGivenUp: { provoked: ['emails given up'], cleared: 'no email' },
  LogIncomplete: { provoked: ['log not read'], cleared: 'after the flood' },
  NoServiceUsable: { provoked: ['no service'], cleared: 'service back' },
  RevocationsAreLate: { provoked: ['no service'], cleared: 'service back' },
  SealingKeyMissing: { provoked: ['wrong service'], cleared: 'service back' },
  LedgerEnds: { provoked: ['wrong service'], cleared: 'service back' },
  ReplicaIsNotUsed: { provoked: ['wrong service'], cleared: 'service back' },
  QuotaIsUsedUp: { provoked: ['wrong service'], cleared: 'service back' },
  WorkspaceRemovalIsLate: { provoked: ['wrong service'], cleared: 'service back' },
  DatabaseRewound: { provoked: ['database rewound'], cleared: 'restored' },
  HeldAfterRestore: { provoked: ['restored'], cleared: 'released' },
}

async function tellStory(scene: Scene): Promise<Record<string, Phase>> {
  const { sql, stores, start, end, until, during } = scene
  const keys = { SEALING_KEYS: sealingKey() }
  await start('service', keys)
  await Promise.all([start('gateway'), start('dispatcher', keys)])
  await until((of) => figure(of('gateway'), 'gateway_service_addresses', { state: 'usable' }) > 0, 'a usable service')
  const tenant = await scene.tenant()
  await using receiver = await startReceiver((call) => (call.body.includes('Not this one') ? 500 : 200))
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))
  await useIt(tenant)
  await receiver.count(1)
  const phases: Record<string, Phase> = { healthy: await wellIn(scene, tenant) }

  phases['database away'] = await during(async () => {
    stores.postgres.freeze()
    const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.api('GET', '/api/v1/projects')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    await until((of) => up(of('service'), 'database') === 0, 'the service notices')
  })
  stores.postgres.thaw()
  await until((of) => up(of('service'), 'database') === 1, 'the database is back')
  phases['database back'] = await during(() => useIt(tenant))
  phases['database slow'] = await slowly(scene, tenant)

  phases['redis away'] = await awayAndBack(
    scene,
    'redis',
    (of) => figure(of('gateway'), 'gateway_rate_limit_degraded') === 1 && up(of('service'), 'redis') === 0,
  )
  await until((of) => figure(of('gateway'), 'gateway_rate_limit_degraded') === 0, 'limits are exact again')
  phases['redis back'] = await during(() => useIt(tenant))
  phases['broker away'] = await awayAndBack(
    scene,
    'rabbit',
    (of) => figure(of('dispatcher'), 'dispatcher_broker_up') === 0,
  )
  await until((of) => figure(of('dispatcher'), 'dispatcher_broker_up') === 1, 'the broker is back')
  phases['broker back'] = await during(() => useIt(tenant))

  await sql.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`)
  await sql.query('CREATE TRIGGER refuse BEFORE INSERT ON audit_entry EXECUTE FUNCTION refuse()')
  phases['audit fails'] = await during(async () => {
    await callTool(tenant)
    await until((of) => figure(of('service'), 'service_audit_entries_lost_total') > 0, 'an entry is lost')
  })
  await sql.query('DROP TRIGGER refuse ON audit_entry')
  phases['audit works'] = await during(() => callTool(tenant))

  phases['receiver fails'] = await during(async () => {
    must(await tenant.api('POST', '/api/v1/projects', { name: 'Not this one' }))
    await until(
      (of) => figure(of('dispatcher'), 'dispatcher_attempts_total', { outcome: 'dead' }) > 0,
      'it is given up',
    )
  })
  phases['receiver works'] = await during(() => useIt(tenant))

  Object.assign(phases, await emailed(scene, tenant))

  await end('dispatcher')
  must(await tenant.api('POST', '/api/v1/projects', { name: 'For later' }))
  await sql.query(`UPDATE outbox SET created_at = created_at - interval '5 minutes'`)
  phases['no dispatcher'] = await during(() =>
    until((of) => figure(of('service'), 'service_outbox_oldest_seconds') > 60, 'an event is old'),
  )
  await start('dispatcher', keys)
  await until((of) => figure(of('service'), 'service_outbox_rows') === 0, 'all is fanned out')
  phases['dispatcher back'] = await during(() => useIt(tenant))

  Object.assign(phases, await flooded(scene))

  must(await tenant.settings('PATCH', '', { quotas: { webhooks: 1 } }))
  await end('service')
  phases['no service'] = await during(() =>
    until(
      (of) =>
        figure(of('gateway'), 'gateway_service_addresses', { state: 'usable' }) === 0 &&
        figure(of('gateway'), 'gateway_invalidation_lag_seconds') > 4,
      'the gateway has no service',
    ),
  )
  await sql.query('ALTER FUNCTION add_ledger_partition RENAME TO not_now')
  for (const { name } of await partitionsOf(scene)) await dropPartition(scene, name)
  await deletedLongAgo(scene)
  await start('service', { SEALING_KEYS: sealingKey(), DATABASE_READ_URL: stores.postgres.url })
  phases['wrong service'] = await during(() =>
    until((of) => of('service').has('service_ledger_ahead_seconds'), 'figures'),
  )
  await sql.query('ALTER FUNCTION not_now RENAME TO add_ledger_partition')
  await end('service')
  await sql.query('DELETE FROM workspace_deletion')
  await start('service', keys)
  await eventually(async () => (await partitionsOf(scene)).length > 0, 'partitions')
  const raise = () => tenant.settings('PATCH', '', { quotas: { webhooks: null } })
  await eventually(async () => (await raise()).status === 200, 'a larger quota')
  await until((of) => figure(of('gateway'), 'gateway_invalidation_lag_seconds') < 4, 'the gateway hears of changes')
  phases['service back'] = await during(() => useIt(tenant))
  await end('service')
  await start('service', keys)
  phases['service again'] = await during(async () => {})
  Object.assign(phases, await restored(scene, tenant, keys))
  return phases
}

/** Tries again when Postgres ends it for a deadlock: dispatchers lock these tables meanwhile, in another order. */
async function dropPartition({ sql }: Scene, name: string): Promise<void> {
  await eventually(async () => {
    try {
      await sql.query(`DROP TABLE attempt_${name}, delivery_${name}, event_${name}`)
      return true
    } catch (error) {
      if ((error as { readonly code?: string }).code === '40P01') return false
      throw error
    }
  }, `partition ${name} is dropped`)
}

/** Emails that no server takes: they wait, and are given up after their last attempt. */
async function emailed(
  { sql, until, during }: Scene,
  { settings }: Tenant,
): Promise<Record<'email late' | 'emails given up' | 'no email', Phase>> {
  for (const name of ['one', 'two', 'three']) {
    const { id } = must(await settings('POST', '/members', { name, email: `${name}@example.com` }))
    must(await settings('POST', '/invitations', { memberId: id }))
  }
  await sql.query(`UPDATE mail SET created_at = created_at - interval '1 hour'`)
  const late = await during(() =>
    until((of) => figure(of('service'), 'service_mails_oldest_seconds') > 900, 'an email is old'),
  )
  const givenUp = await during(async () => {
    await until((of) => figure(of('service'), 'service_mails_total', { outcome: 'retried' }) === 3, 'all have failed')
    await sql.query('UPDATE mail SET attempts = 11, next_attempt_at = now()')
    await until((of) => figure(of('service'), 'service_mails_waiting') === 0, 'all are given up')
  })
  return { 'email late': late, 'emails given up': givenUp, 'no email': await during(async () => {}) }
}

/** A workspace whose removal no service can begin. */
async function deletedLongAgo({ sql }: Scene): Promise<void> {
  await sql.query(`INSERT INTO workspace_deletion (id, created_at, created_by, request_id, remove_after, was_suspended)
    SELECT id, now(), '{}', '', now() - interval '2 days', false FROM workspace LIMIT 1`)
  await sql.query('CREATE TRIGGER refuse BEFORE UPDATE ON workspace_deletion EXECUTE FUNCTION refuse()')
}

/** The database goes back under a running service, and a restore is declared. */
async function restored(
  { sql, start, end, until, during, operator }: Scene,
  { api }: Tenant,
  keys: Env,
): Promise<Record<'database rewound' | 'restored' | 'released', Phase>> {
  await end('dispatcher')
  const create = () => api('POST', '/api/v1/projects', { name: 'Waits' })
  await eventually(async () => (await create()).status === 201, 'an event that waits')
  const rewound = await during(async () => {
    await sql.query('UPDATE installation SET beat = 0')
    await until((of) => figure(of('service'), 'service_database_rewound') === 1, 'the service notices')
  })
  await end('service')
  await start('service', { ...keys, RESTORED: 'true' })
  const held = await during(() =>
    until((of) => figure(of('service'), 'service_held_after_restore', { kind: 'events' }) > 0, 'events are held'),
  )
  await start('dispatcher', keys)
  const release = () => operator('POST', '/settings/api/held-deliveries/release', { action: 'send' })
  await eventually(async () => (await release()).status === 200, 'a service that releases')
  await end('service')
  await start('service', keys)
  return { 'database rewound': rewound, restored: held, released: await during(async () => {}) }
}

/** On a busy machine calls may be slow for a moment, and that is no false alarm. */
const wellIn = ({ during }: Scene, tenant: Tenant): Promise<Phase> =>
  eventually(
    async () => {
      const phase = await during(() => useIt(tenant), 1_000)
      return firingIn([[phase, minutesWell]]) === '' ? phase : null
    },
    'a second in which nothing fires',
    withinMs,
  )

const up = (exposed: Parameters<typeof figure>[0], dependency: string): number =>
  figure(exposed, 'service_dependency_up', { dependency })

async function partitionsOf({ sql }: Scene): Promise<{ name: string }[]> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT substr(relname, 7) AS name FROM pg_class JOIN pg_inherits ON inhrelid = oid
     WHERE inhparent = 'event'::regclass AND relname <> 'event_default'`,
  )
  return rows
}

async function awayAndBack(
  { stores, until, during }: Scene,
  part: 'redis' | 'rabbit',
  isNoticed: Parameters<Scene['until']>[0],
) {
  stores[part].freeze()
  stores[part].cut()
  await until(isNoticed, `${part} is missed`)
  const phase = await during(async () => {})
  stores[part].thaw()
  stores[part].cut()
  return phase
}

/** A table is locked while more calls come than there are slots. */
async function slowly({ sql, until, during }: Scene, tenant: Tenant): Promise<Phase> {
  const others = await Promise.all([tenant.key(['projects:read']), tenant.key(['projects:read'])])
  let gauges: Awaited<ReturnType<typeof until>> | null = null
  const phase = await during(async () => {
    await sql.query('BEGIN')
    await sql.query('LOCK TABLE project IN ACCESS EXCLUSIVE MODE')
    const calls = [tenant, ...others].flatMap(({ api }) =>
      Array.from({ length: 30 }, () => api('GET', '/api/v1/projects')),
    )
    gauges = await until((of) => figure(of('service'), 'service_database_slots_waiting') > 10, 'calls wait')
    await delay(200)
    await sql.query('ROLLBACK')
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
  })
  return gauges === null ? phase : { ...phase, gauges }
}

/** A gateway that gets more requests than it can serve, and nobody reads its output. */
async function flooded({ env }: Scene): Promise<Record<'log not read' | 'flood' | 'after the flood', Phase>> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const settings = { ...env, PORT: String(port), METRICS_PORT: String(metricsPort), LOG_LEVEL: 'info' }
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const url = `http://127.0.0.1:${metricsPort}/metrics`
  const gateway = spawn(process.execPath, [join(root, 'gateway/main.ts')], {
    env: { PATH, NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await eventually(() => answers(url), 'the gateway', withinMs)
    const look = () => snapshot({ 'another gateway': url })
    const dropped = async () => figure(await scrape(url), 'log_lines_dropped_total')
    const aSecondThat = (is: (busy: number) => boolean, what: string) =>
      eventually(
        async () => {
          const begin = await look()
          await delay(1_000)
          const phase = { begin, end: await look() }
          return is(busyIn(phase)) ? phase : null
        },
        what,
        withinMs,
      )
    const before = await look()
    const stop = flood(port)
    await eventually(async () => (await dropped()) > 0, 'lines are dropped', withinMs)
    const busy = await aSecondThat((share) => share > 0.95, 'it can do no more')
    stop()
    gateway.stdout.resume()
    let last = -1
    await eventually(async () => last === (last = await dropped()), 'no further line is dropped', withinMs)
    const calm = await aSecondThat((share) => share < 0.5, 'it is calm again')
    return { 'log not read': { begin: before, end: busy.end }, flood: busy, 'after the flood': calm }
  } finally {
    gateway.kill('SIGKILL')
  }
}

/** The share of a phase in which the event loop of the other gateway was busy. */
function busyIn({ begin, end }: Phase): number {
  const seconds = ({ exposed }: Snapshot) =>
    figure(exposed.get('another gateway') ?? new Map(), 'nodejs_eventloop_active_seconds_total')
  return (seconds(end) - seconds(begin)) / ((end.at - begin.at) / 1_000)
}

/** Requests without end on a few connections, some hundred of each at a time. Returns what ends them. */
function flood(port: number): () => void {
  const request = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const sockets = Array.from({ length: 6 }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request.repeat(300)))
    socket.on('data', (answered) => {
      const count = answered.toString('latin1').split('HTTP/1.1 ').length - 1
      if (socket.writable) socket.write(request.repeat(count))
    })
    return socket.on('error', () => {})
  })
  return () => sockets.forEach((socket) => socket.destroy())
}

test('each alert is one that is brought about above, and has a severity, a summary, a line among the metrics and a page that begins with its name', () => {
  const documented = readFileSync(join(root, 'docs/operating/metrics.md'), 'utf8')
  expect(rules.map(({ alert }) => alert).toSorted()).toEqual(Object.keys(broughtAbout).toSorted())
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/\.$/)
    expect(documented).toContain(`| [${alert}](${annotations.runbook.replace('docs/operating/', '')}) |`)
    expect(readFileSync(join(root, annotations.runbook), 'utf8')).toMatch(new RegExp(`^# ${alert}\n`))
  }
})

test('every figure that an alert names is published', () => {
  const names = new Set(declared.map(({ name }) => name))
  const named = Array.from(
    text.matchAll(/\b(?:build|http_server|log_lines|gateway|service|dispatcher|mcp|process|nodejs)_[a-z0-9_]+/g),
  )
  const unknown = named.map(([name]) => name.replace(/_(?:bucket|sum|count)$/, '')).filter((name) => !names.has(name))

  expect(named.length).toBeGreaterThan(rules.length)
  expect(unknown).toEqual([])
})

test.skipIf(lacksPromtool)('promtool accepts the rules', () => {
  const { status, stdout } = spawnSync('promtool', ['check', 'rules', alertsFile], { encoding: 'utf8' })

  expect(stdout).toContain(`${rules.length} rules found`)
  expect(status).toBe(0)
})
