import type { getWebhook } from '#contract/webhooks.ts'
import type { Handler } from '../handler.ts'
import { findWebhook } from './rows.ts'

export const get: Handler<typeof getWebhook> = ({ id }, { db, workspaceId, now }) =>
  findWebhook(db, workspaceId, id, now)
