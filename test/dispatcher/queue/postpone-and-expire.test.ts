// Deliveries that cannot be signed, that our proxy does not take, or whose host has had enough for now: which is
// nobody's failure.
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { deriveKey, seal } from '#runtime/sealing-and-signing.ts'
import { egressProxy } from '../../../dispatcher/attempt/egress-proxy.ts'
import { unprovenRequestsMax, forgetHosts, hostLimits } from '../../../dispatcher/attempt/host-limits.ts'
import { onPostgres, onEachEngine } from '../../support/database-engines.ts'
import { startConnectProxy } from '../../support/connect-proxy.ts'
import { inSeconds } from '../leased.ts'
import { secretOfTests, sharedStages, testSecret, type Stage } from '../stage.ts'
import { eventually } from '../../support/eventually.ts'

const { openStage, delivering } = sharedStages()
const sealedBy = (secret: string, text: string, context = 'x') =>
  seal(deriveKey(secret, 'webhook-secrets'), text, context)
const sealedByAnother = (text: string) => sealedBy('some other secret', text)
const spoilSecret = ({ db }: Stage) => db.webhookSecret.updateMany({ data: { sealed: sealedByAnother(testSecret) } })
const spoilHeaders = ({ db }: Stage) => db.webhook.updateMany({ data: { sealedHeaders: sealedByAnother('{}') } })
const dueNow = ({ db }: Stage) => db.delivery.updateMany({ data: { nextAttemptAt: new Date() } })

/** Keeps what is logged as an error. */
function noting() {
  const lines: { msg: string; webhookId: string }[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  return { lines, log: pino({ level: 'error' }, { write }) }
}

const idle = { status: 'pending', tries: 0, attemptCount: 0, leaseOwner: null, leaseUntil: null, sendingSince: null }
const nothingCounted = async ({ db }: Stage) => [await db.attempt.count(), await db.webhookHealth.count()]

onPostgres(() => {
  test('a delivery that is about to go to a host while another one proves it is not held', async () => {
    const { stage } = await delivering()
    const { db, workspaceId } = stage
    const [host, limits] = ['new.example', limitsOf(stage)]
    const to = { workspaceId, isInspected: false, url: `https://${host}/` }
    await limits.admit(to)
    const waits = async () => {
      const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return rows.length > 0
    }

    const admitted = await db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE receiving_host SET proven_at = now() WHERE workspace_id = ${workspaceId}::uuid AND host = ${host}`
      const asked = limits.admit(to)
      await eventually(waits, 'the count to wait for the row')
      return [asked]
    })

    expect(await admitted[0]).toBeNull()
  })

  test.each<[string, (stage: Stage) => Promise<unknown>]>([
    ['whose secret was sealed under another key', spoilSecret],
    ['without any secret', ({ db }) => db.webhookSecret.deleteMany()],
    ['whose headers were sealed under another key', spoilHeaders],
  ])('a webhook %s gets nothing, loses no attempt and is not failing', async (_what, spoil) => {
    const { stage, receiver, webhook, happen } = await delivering({ headers: { 'x-team': 'blue' } })
    await spoil(stage)

    const row = await stage.becomes('signing_failed', await happen(), webhook)

    expect(row).toMatchObject(idle)
    expect(row.nextAttemptAt?.getTime()).toBeGreaterThan(inSeconds(4 * 60 - 10).getTime())
    expect([...(await nothingCounted(stage)), receiver.calls.length]).toEqual([0, 0, 0])
  })

  test('what was postponed is sent with all its attempts left once a secret opens, signed with those that do', async () => {
    const { stage, receiver, webhook, happen } = await delivering()
    const { db, workspaceId } = stage
    await spoilSecret(stage)
    const event = await happen()
    await stage.becomes('signing_failed', event, webhook)

    const id = uuid()
    const sealed = sealedBy(secretOfTests, testSecret, `webhook-secret:${id}`)
    await db.webhookSecret.create({ data: { workspaceId, id, webhookId: webhook, sealed, createdAt: new Date() } })
    await dueNow(stage)

    const row = await stage.becomes('delivered', event, webhook)
    expect(row).toMatchObject({ tries: 1, attemptCount: 1, lastErrorCode: null })
    expect(String(receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1)
  })

  test('the log says it once, however many wait; one that has waited for three days is dead, and has lost no attempt', async () => {
    const { lines, log } = noting()
    const { stage, webhook, happen } = await delivering({ secrets: [], as: { log } })
    const events = [await happen(), await happen(), await happen()]
    for (const event of events) await stage.becomes('signing_failed', event, webhook)

    await stage.db.delivery.updateMany({ data: { createdAt: inSeconds(-73 * 3_600), nextAttemptAt: new Date() } })

    const row = await stage.becomes('dead_letter', events[0]!, webhook)
    const ended = { lastErrorCode: 'signing_failed', nextAttemptAt: null }
    expect(row).toMatchObject({ tries: 0, attemptCount: 0, ...ended })
    expect(lines).toMatchObject([{ msg: 'deliveries are postponed: no secret opens', webhookId: webhook }])
  })

  test('while the proxy is away nothing is counted against anybody; what waited is sent when it is back', async () => {
    const { lines, log } = noting()
    const away = await startConnectProxy()
    await away[Symbol.asyncDispose]()
    const as = { log, egressProxy: egressProxy(away.url.replace('//', '//user:hunter2@')) }
    const { stage, receiver, happen } = await delivering({ as, eventTypes: ['tasks.*'] })
    const authority = `acme.com:${new URL(receiver.url).port}`
    const webhook = await stage.webhook({ url: `http://${authority}/hook` })

    const event = await happen()

    const row = await stage.becomes('proxy_error', event, webhook)
    expect(row).toMatchObject(idle)
    expect(row.nextAttemptAt?.getTime()).toBeGreaterThan(inSeconds(10).getTime())
    expect(await nothingCounted(stage)).toEqual([0, 0])
    expect(JSON.stringify(lines)).toContain('deliveries are postponed: the egress proxy cannot be used')
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|Basic/)

    await using back = await startConnectProxy({ port: Number(new URL(away.url).port), credentials: 'user:hunter2' })
    await dueNow(stage)

    expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ attemptCount: 1, lastErrorCode: null })
    expect(back.asked).toMatchObject([{ authority }])
  })

  test('a delivery to a host that has had its requests waits without an attempt, and is sent once the host is proven', async () => {
    const { stage, receiver, webhook, happen } = await delivering()
    const { db, workspaceId } = stage
    const host = { host: '127.0.0.1', sent: unprovenRequestsMax, nextAt: inSeconds(900) }
    await db.receivingHost.create({ data: { workspaceId, ...host } })
    const event = await happen()
    expect(await stage.becomes('host_unproven', event, webhook)).toMatchObject(idle)
    expect(receiver.calls).toHaveLength(0)

    await db.receivingHost.updateMany({ data: { provenAt: new Date() } })
    await dueNow(stage)

    expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ attemptCount: 1, lastErrorCode: null })
  })
})

// What the webhooks of a workspace may send to one host: a rate, and 50 requests before the host has answered 2xx.

const raise = (error: unknown) => {
  throw error
}
const limitsOf = ({ db }: Stage, more: Partial<Parameters<typeof hostLimits>[0]> = {}) =>
  hostLimits({ db, perSecond: 1_000_000, onError: raise, ...more })

onEachEngine((kind) => {
  test('a host that has never answered 2xx gets 50 requests over all webhooks, dispatchers and ports', async () => {
    await using stage = await openStage(kind)
    const { workspaceId } = stage
    const [one, other] = [limitsOf(stage), limitsOf(stage)]
    const admit = (limits: typeof one, port: number) =>
      limits.admit({
        workspaceId,
        isInspected: false,
        url: `https://Victim.example${port % 2 === 0 ? '.' : ''}:${port}/hook?n=${port}`,
      })

    const admitted = []
    for (let n = 0; n < unprovenRequestsMax; n++) admitted.push(await admit(n % 2 === 0 ? one : other, 1_000 + n))
    const further = [await admit(one, 1), await admit(other, 2)]

    expect(admitted.every((held) => held === null)).toBe(true)
    expect(further).toEqual(['host_unproven', 'host_unproven'])
    expect(await one.admit({ workspaceId, isInspected: false, url: 'https://elsewhere.example/' })).toBeNull()
  })

  test('then one request is made every 15 minutes, and the first 2xx frees the host for good', async () => {
    await using stage = await openStage(kind)
    const { db, workspaceId } = stage
    const [one, other] = [limitsOf(stage), limitsOf(stage)]
    const to = { workspaceId, isInspected: false, url: 'https://slow.example/' }
    await one.admit(to)
    await db.receivingHost.updateMany({ data: { sent: unprovenRequestsMax, nextAt: inSeconds(-1) } })

    const probes = [await one.admit(to), await one.admit(to), await other.admit(to)]
    const { nextAt } = await db.receivingHost.findFirstOrThrow()
    one.noteDelivered(to)
    await eventually(async () => (await db.receivingHost.findFirstOrThrow()).provenAt, 'the host is proven')

    expect(probes).toEqual([null, 'host_unproven', 'host_unproven'])
    expect(nextAt.getTime()).toBeGreaterThan(inSeconds(14 * 60).getTime())
    expect([await one.admit(to), await other.admit(to), await limitsOf(stage).admit(to)]).toEqual([null, null, null])
  })

  test('a host that no webhook names any more is forgotten a month after, and no other', async () => {
    await using stage = await openStage(kind)
    const { db, workspaceId } = stage
    await stage.webhook({ url: 'https://named.example/hook' })
    const hosts = { 'named.example': 31, 'old.example': 31, 'new.example': 29 }
    for (const [host, days] of Object.entries(hosts))
      await db.receivingHost.create({ data: { workspaceId, host, sent: 1, nextAt: inSeconds(-days * 86_400) } })

    expect(await forgetHosts(db)).toBe(1)

    const left = await db.receivingHost.findMany({ orderBy: { host: 'asc' } })
    expect(left.map(({ host }) => host)).toEqual(['named.example', 'new.example'])
  })
})

onPostgres(() => {
  test('a host gets no more than the rate: a second’s worth at once, what waits a second in turn, the rest later', async () => {
    await using stage = await openStage()
    const limits = limitsOf(stage, { perSecond: 5, nowMs: () => 10_000 })
    const to = { workspaceId: stage.workspaceId, isInspected: false, url: 'https://busy.example/' }
    limits.noteDelivered(to)

    const held = await Promise.all(Array.from({ length: 13 }, () => limits.admit(to)))

    expect(held.filter((one) => one === null)).toHaveLength(10)
    expect(held.filter((one) => one === 'host_busy')).toHaveLength(3)
    expect(await limits.admit({ ...to, url: 'https://other.example/' })).toBeNull()
  })
})
