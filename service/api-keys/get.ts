import type { getApiKey } from '#contract/api-keys.ts'
import type { Handler } from '../execution/handler.ts'
import { findKey, toApiKey } from './rows.ts'

export const get: Handler<typeof getApiKey> = async ({ id }, { db, workspaceId, now }) =>
  toApiKey(await findKey(db, workspaceId, id, now), now)
