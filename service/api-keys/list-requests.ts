import type { AnsweredRequest, listApiKeyRequests } from '#contract/usage.ts'
import type { Handler } from '../execution/handler.ts'
import { findKey } from './rows.ts'

export const listRequests: Handler<typeof listApiKeyRequests> = async ({ id }, { db, workspaceId, now }) => {
  await findKey(db, workspaceId, id, now)
  const kept = await db.apiKeyRequests.findUnique({ where: { workspaceId_apiKeyId: { workspaceId, apiKeyId: id } } })
  return { data: (kept?.requests ?? []) as AnsweredRequest[] }
}
