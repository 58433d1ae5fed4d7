import type { verifyAuditEntries } from '#contract/audit-entries.ts'
import type { Handler } from '../execution/handler.ts'
import { verifyChain } from './verify-chain.ts'

export const verify: Handler<typeof verifyAuditEntries> = ({ from = 1 }, { db, workspaceId }) =>
  verifyChain(db, workspaceId, from)
