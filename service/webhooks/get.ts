import type { getWebhook } from '#contract/webhooks.ts'
import type { Handler } from '../execution/handler.ts'
import { findWebhook } from './rows.ts'

export const get: Handler<typeof getWebhook> = ({ id }, call) => findWebhook(call, id)
