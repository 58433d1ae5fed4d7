// Webhooks: created, changed, paused, enabled, deleted, their secrets rotated, their grants revoked, test events sent.
import { Fault } from '#contract/faults/fault.ts'
import { deliveryId } from '#contract/internal/webhook-request.ts'
import { typesOf, grantsBy, scopesOf } from '#contract/webhook-grants.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import {
  resumedMax,
  webhookTest,
  type pauseWebhook,
  type enableWebhook,
  type resumeWebhook,
  type revokeWebhookGrants,
  type rotateWebhookSecret,
  type testWebhook,
  type checkWebhookUrl,
  type getWebhook,
  type listWebhooks,
  type createWebhook,
  type updateWebhook,
  type deleteWebhook,
} from '#contract/webhooks.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import { assertReadable } from '../ledger/feed.ts'
import type { Handlers, Handler, Call } from '../execution/call.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { isUnchanged } from '../execution/system-fields.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { assertFilter } from './filter.ts'
import { assertMayInspect, getInspected, listInspected } from './inspector.ts'
import { receiverUrl, hasOtherOrigin, type AllowedTargets } from './receiver-url.ts'
import {
  findWebhook,
  findWebhooks,
  toWebhook,
  assertKeys,
  filterColumn,
  setRate,
  cancelUngranted,
  endOpenCircuit,
  lockWebhook,
  updateWebhookRow,
  cancelPending,
  lockAnyWebhook,
  holdPending,
  releasePending,
  resetHealth,
  closeCircuit,
  hurryRetries,
  withHealth,
} from './rows.ts'
import { unreadablePatterns, grantsAfter, assertAccess, assertActive } from './rules.ts'
import { insertSecret, replaceSecrets, type Sealer } from './signing-secrets.ts'
import { figuresOf } from './statistics-rows.ts'
import { getStats, getUsage, listRequests } from './statistics.ts'

type WebhookDeps = { readonly pager: Pager; readonly sealer: Sealer; readonly allowed: AllowedTargets }

export const webhookHandlers = ({ pager, sealer, allowed }: WebhookDeps) =>
  ({
    'webhooks.list': list(pager),
    'webhooks.get': get,
    'webhooks.stats': getStats,
    'webhooks.usage': getUsage,
    'webhooks.requests': listRequests,
    'webhooks.list-inspected-requests': listInspected,
    'webhooks.get-inspected-request': getInspected,
    'webhooks.create': create(sealer, allowed),
    'webhooks.update': update(sealer, allowed),
    'webhooks.delete': remove,
    'webhooks.rotate-secret': rotateSecret(sealer),
    'webhooks.revoke-grants': revokeGrants,
    'webhooks.pause': pause,
    'webhooks.enable': enable,
    'webhooks.resume': resume,
    'webhooks.test': sendTest,
    'webhooks.check-url': checkUrl(allowed),
  }) satisfies Partial<Handlers>

const get: Handler<typeof getWebhook> = ({ id }, call) => findWebhook(call, id)

const list =
  (pager: Pager): Handler<typeof listWebhooks> =>
  async (input, { db, workspaceId, principal, now }) => {
    const paging = pager.open('webhooks.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const { status, health, eventTypes, grantedBy } = input
    const filter = {
      workspaceId,
      deletedAt: null,
      NOT: { eventTypes: { hasSome: unreadablePatterns(principal.scopes) } },
      ...(grantedBy !== undefined && { OR: grantedByActor(grantedBy) }),
      ...(status && { status: { in: status } }),
      ...(eventTypes !== undefined && { eventTypes: { hasSome: typesOf(eventTypes).flatMap(patternsMatching) } }),
    }
    const inHealth = health === undefined ? {} : withHealth(health)
    const rows = await findWebhooks(db, { AND: [filter, inHealth, beyond] }, page, now)
    const ids = rows.map(({ id }) => id)
    const figures = await figuresOf(db, workspaceId, ids, now)
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => toWebhook(row, figures[ids.indexOf(row.id)], now),
    )
  }

/** A webhook from a release without grants counts as granted by its maker. */
const grantedByActor = (id: string): Prisma.WebhookWhereInput[] => [
  { grants: { path: ['grantedBy', 'id'], equals: id } },
  { grants: { equals: Prisma.DbNull }, createdBy: { path: ['id'], equals: id } },
]

const patternsMatching = (eventType: string): string[] => ['*', eventType, `${eventType.split('.')[0]}.*`]

const create =
  (sealer: Sealer, allowed: AllowedTargets): Handler<typeof createWebhook> =>
  async ({ headers: given, filter = null, payload = 'full', order = 'none', maxPerMinute = null, ...input }, call) => {
    const { db, workspaceId, principal, actor, now, audit } = call
    const headers = given ?? {}
    assertReadable(input.eventTypes, principal.scopes)
    assertFilter({ eventTypes: input.eventTypes, filter })
    const url = receiverUrl(input.url, allowed)
    await assertMayInspect(call, url)
    await assertKeys(call, input.ignoredKeyIds ?? [])
    await assertRoomFor(db, workspaceId, 'webhooks')
    const id = newId(now)
    await db.webhook.create({
      data: {
        ...input,
        url,
        workspaceId,
        id,
        payload,
        order,
        filter: filterColumn(filter),
        status: 'active',
        version: 1,
        headerNames: Object.keys(headers),
        sealedHeaders: sealer.sealHeaders(id, headers),
        createdAt: now,
        updatedAt: now,
        createdBy: actor,
        updatedBy: actor,
        grants: grantsBy(actor, now, scopesOf(input.eventTypes)),
      },
    })
    if (maxPerMinute !== null) await setRate(db, workspaceId, id, maxPerMinute)
    const secret = await insertSecret(db, sealer, workspaceId, id, now)
    const webhook = await findWebhook(call, id)
    audit(webhook)
    return { ...webhook, secret }
  }

/**
 * Secrets and header values are never sent to another host than the one that they were given for. An update that
 * changes the scheme, host or port of the URL drops the headers, unless it gives new ones, and replaces the secrets.
 */
const update =
  (sealer: Sealer, allowed: AllowedTargets): Handler<typeof updateWebhook> =>
  async ({ id, expectedVersion, headers, filter, maxPerMinute, ...given }, call) => {
    const { db, principal, actor, now, audit } = call
    const before = await lockWebhook(call, id)
    assertVersion(before, expectedVersion, call)
    if (given.eventTypes !== undefined) assertReadable(given.eventTypes, principal.scopes)
    if (filter !== undefined) assertFilter({ ...before, ...given, filter })
    else if (given.eventTypes !== undefined) assertFilter({ ...before, ...given }, 'eventTypes')
    await assertKeys(call, given.ignoredKeyIds ?? [], before.ignoredKeyIds)
    const patch = { ...given, ...(given.url !== undefined && { url: receiverUrl(given.url, allowed) }) }
    if (patch.url !== undefined) await assertMayInspect(call, patch.url)
    const grants = grantsAfter(before, patch, actor, now)
    const apart = { ...(filter !== undefined && { filter }), ...(maxPerMinute !== undefined && { maxPerMinute }) }
    const asked = { ...before, ...patch, ...apart, ...(grants && { grants }) }
    if (headers === undefined && isUnchanged(before, asked)) return before

    const isMoved = hasOtherOrigin(before.url, asked.url)
    const secret = isMoved ? await replaceSecrets(db, sealer, before, now) : undefined
    const newHeaders = headers === null ? {} : (headers ?? (isMoved ? {} : undefined))
    const data = {
      ...patch,
      ...(grants && { grants }),
      ...(filter !== undefined && { filter: filterColumn(filter) }),
      ...(newHeaders && { headerNames: Object.keys(newHeaders), sealedHeaders: sealer.sealHeaders(id, newHeaders) }),
    }
    if (asked.url !== before.url) await endOpenCircuit(db, before.workspaceId, id, now)
    if (maxPerMinute !== undefined) await setRate(db, before.workspaceId, id, maxPerMinute)
    const after = await updateWebhookRow(db, before, { data, actor, now })
    if (grants !== undefined) await cancelUngranted(db, after)
    // The audit log shows the names of headers, never their values.
    audit({ ...after, ...(newHeaders && { headers: Object.keys(newHeaders) }) }, before)
    return { ...after, ...(secret !== undefined && { secret }) }
  }

const remove: Handler<typeof deleteWebhook> = async ({ id, expectedVersion }, call) => {
  const { db, workspaceId, principal, now } = call
  const before = await lockAnyWebhook(db, workspaceId, id, now)
  assertAccess(before, principal)
  if (before.deletedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  await deleteKnown(before, call)
  return null
}

export async function deleteKnown(before: Webhook, { db, workspaceId, actor, now, audit }: Call): Promise<void> {
  audit(await updateWebhookRow(db, before, { data: { deletedAt: now }, actor, now }), before)
  await cancelPending(db, workspaceId, before.id)
}

const pause: Handler<typeof pauseWebhook> = async ({ id }, call) => {
  const before = await lockWebhook(call, id)
  if (before.status === 'paused') return before
  if (before.status === 'disabled') {
    throw new Fault('invalid_transition', 'A disabled webhook can only be enabled.', {
      from: 'disabled',
      to: 'paused',
      allowed: ['active'],
    })
  }
  return pauseActive(before, call)
}

export async function pauseActive(before: Webhook, { db, workspaceId, actor, now, audit }: Call): Promise<Webhook> {
  await holdPending(db, workspaceId, before.id)
  const after = await updateWebhookRow(db, before, { data: { status: 'paused', statusChangedAt: now }, actor, now })
  audit(after, before)
  return after
}

const enable: Handler<typeof enableWebhook> = async ({ id }, call) => {
  const { db, workspaceId, actor, now, audit } = call
  const before = await lockWebhook(call, id)
  if (before.status === 'active') return before
  await releasePending(db, workspaceId, id, now)
  await resetHealth(db, workspaceId, id)
  const data = { status: 'active', disabledReason: null, statusChangedAt: now }
  const after = await updateWebhookRow(db, before, { data, actor, now })
  audit(after, before)
  return after
}

/** For a receiver that was repaired. All dispatchers read the circuit with each claim, so that none has to be told. */
const resume: Handler<typeof resumeWebhook> = async ({ id }, call) => {
  const { db, workspaceId, now, audit } = call
  const before = await lockWebhook(call, id)
  assertActive(before)
  if (before.health.state === 'healthy') return before
  await hurryRetries(db, workspaceId, id, now, resumedMax)
  await closeCircuit(db, workspaceId, id)
  const after = await findWebhook(call, id)
  // Retries that are only sent sooner change nothing of the webhook.
  if (before.circuit.state !== 'closed') audit(after, before)
  return after
}

const revokeGrants: Handler<typeof revokeWebhookGrants> = async ({ id, scopes }, call) => {
  const { db, actor, now, audit } = call
  const before = await lockWebhook(call, id)
  const { grants } = before
  const revoked: readonly string[] = scopes ?? grants.scopes
  const kept = grants.scopes.filter((scope) => !revoked.includes(scope))
  if (kept.length === grants.scopes.length) return before
  const after = await updateWebhookRow(db, before, { data: { grants: { ...grants, scopes: kept } }, actor, now })
  await cancelUngranted(db, after)
  audit(after, before)
  return after
}

const liveSecretsMax = 5
const hourMs = 3_600_000

const rotateSecret =
  (sealer: Sealer): Handler<typeof rotateWebhookSecret> =>
  async ({ id, overlapHours = 24 }, call) => {
    const { db, workspaceId, actor, now, audit } = call
    const before = await lockWebhook(call, id)
    if (overlapHours > 0 && before.secrets.length >= liveSecretsMax) {
      throw new Fault(
        'limit_reached',
        `A webhook can have at most ${liveSecretsMax} live secrets. Wait, or rotate without overlap.`,
      )
    }
    const overlapEnd = new Date(now.getTime() + overlapHours * hourMs)
    // An older secret lives no longer than this overlap; one that ends sooner still does.
    await db.webhookSecret.updateMany({
      where: { workspaceId, webhookId: id, OR: [{ expiresAt: null }, { expiresAt: { gt: overlapEnd } }] },
      data: { expiresAt: overlapEnd },
    })
    const secret = await insertSecret(db, sealer, workspaceId, id, now)
    const after = await updateWebhookRow(db, before, { data: {}, actor, now })
    audit(after, before)
    return { ...after, secret }
  }

/** The dispatcher sends a `webhooks.test` event only to the webhook that it is about. */
const sendTest: Handler<typeof testWebhook> = async ({ id, eventType }, call) => {
  const webhook = await findWebhook(call, id)
  assertActive(webhook)
  const eventId = call.emit(webhookTest, { ...webhook, ...(eventType !== undefined && { exampleOf: eventType }) })
  return { eventId, deliveryId: deliveryId(eventId, id) }
}

const checkUrl =
  (allowed: AllowedTargets): Handler<typeof checkWebhookUrl> =>
  async ({ url: text }, call) => {
    const object = 'url_check'
    try {
      const url = receiverUrl(text, allowed)
      await assertMayInspect(call, url)
      return { object, url, problem: null }
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      return { object, url: null, problem: problemIn(thrown) }
    }
  }

/** The sentence about the field, without its name before it. */
function problemIn({ members, message }: Fault): string {
  const [first] = (members['errors'] ?? []) as readonly { readonly detail: string }[]
  return first?.detail ?? message
}
