// The inspector, where a sandbox's webhooks can be sent: its address, and what it has received. The dispatcher receives
// (dispatcher/inspector/).
import {
  inspectedRequestsMax,
  inspectorBehavior,
  inspectorUrl,
  isInspectorHost,
  type getInspectedRequest,
  type InspectedRequest,
  type listInspectedRequests,
  type Signatures,
} from '#contract/inspector.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Call, Handler } from '../execution/call.ts'
import { assertSandbox } from '../execution/sandbox-rows.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { readableTypes } from '../ledger/feed.ts'
import { findWebhook } from './rows.ts'

/** Returns null for a URL of another host, and for one that the inspector takes. Else what is wrong with it. */
export function whyNotInspected(url: URL): string | null {
  if (!isInspectorHost(url.hostname)) return null
  if (url.origin !== new URL(inspectorUrl).origin) return `The inspector is at ${inspectorUrl}.`
  const behavior = inspectorBehavior(url)
  return 'parameter' in behavior ? `Parameter \`${behavior.parameter}\`: ${behavior.detail}` : null
}

/** Throws `sandbox_only` for the inspector in a workspace that is no sandbox. */
export async function assertMayInspect({ db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>, url: string) {
  if (isInspectorHost(new URL(url).hostname))
    await assertSandbox(
      db,
      workspaceId,
      'The inspector (the built-in test endpoint) receives webhooks of sandboxes only.',
    )
}

const shownColumns = {
  id: true,
  workspaceId: true,
  webhookId: true,
  deliveryId: true,
  eventType: true,
  attempt: true,
  receivedAt: true,
  method: true,
  path: true,
  headers: true,
  bodyBytes: true,
  signatures: true,
  answeredStatus: true,
} as const satisfies Prisma.InspectedRequestSelect
type Row = Prisma.InspectedRequestGetPayload<{ select: typeof shownColumns }>

/** Of the event types that the caller may read: the webhook may have had others at the time. */
const shownTo = ({ workspaceId, principal }: Pick<Call, 'workspaceId' | 'principal'>, webhookId: string) => ({
  workspaceId,
  webhookId,
  eventType: { in: readableTypes(principal.scopes) },
})

export const listInspected: Handler<typeof listInspectedRequests> = async ({ id }, call) => {
  await findWebhook(call, id)
  const rows = await call.db.inspectedRequest.findMany({
    where: shownTo(call, id),
    select: shownColumns,
    orderBy: { id: 'desc' },
    take: inspectedRequestsMax,
  })
  return { data: rows.map(shown) }
}

export const getInspected: Handler<typeof getInspectedRequest> = async ({ id, inspectedRequestId }, call) => {
  await findWebhook(call, id)
  const row = await call.db.inspectedRequest.findFirst({
    where: { ...shownTo(call, id), id: inspectedRequestId },
    select: { ...shownColumns, body: true },
  })
  if (row === null) throw notFoundById('inspected request')
  return { ...shown(row), body: row.body }
}

const shown = (row: Row): InspectedRequest => ({
  id: row.id,
  object: 'inspected_request',
  workspaceId: row.workspaceId,
  webhookId: row.webhookId,
  deliveryId: row.deliveryId,
  eventType: row.eventType,
  attempt: row.attempt,
  receivedAt: row.receivedAt.toISOString(),
  method: row.method,
  path: row.path,
  // The dispatcher writes no others.
  headers: row.headers as InspectedRequest['headers'],
  bodyBytes: row.bodyBytes,
  signatures: row.signatures as Signatures,
  answeredStatus: row.answeredStatus,
})
