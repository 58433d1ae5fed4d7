import {
  type WebhookRequest,
  type listWebhookRequests,
  webhookRequestsAmong,
  webhookRequestsMax,
} from '#contract/usage.ts'
import type { Handler } from '../execution/handler.ts'
import { findWebhook } from './rows.ts'

type Row = Omit<WebhookRequest, 'at'> & { readonly at: Date }

/** The deliveries are found by an index, their attempts by key. */
export const listRequests: Handler<typeof listWebhookRequests> = async ({ id }, call) => {
  const { db, workspaceId } = call
  await findWebhook(call, id)
  const rows = await db.$queryRaw<Row[]>`
    SELECT a.started_at AS at, a.delivery_id AS "deliveryId", d.event_type AS "eventType", a.number, a.trigger,
           a.response_status AS status, a.error_code AS "errorCode", a.duration_ms AS ms
    FROM (
      SELECT id, event_type FROM delivery
      WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${id}::uuid
      ORDER BY created_at DESC LIMIT ${webhookRequestsAmong}::int
    ) d
    JOIN attempt a ON a.workspace_id = ${workspaceId}::uuid AND a.delivery_id = d.id
    ORDER BY a.started_at DESC, a.delivery_id, a.number DESC LIMIT ${webhookRequestsMax}::int`
  return { data: rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row })) }
}
