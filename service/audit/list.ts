import type { listAuditEntries } from '#contract/audit-entries.ts'
import type { Input } from '#contract/operation.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Handler } from '../execution/call.ts'
import type { Pager, Paging } from '../collection/pagination.ts'
import { assertSpan } from '../validation/query-parameters.ts'
import { fromRow } from './entry.ts'
import { refuseParameter } from '../faults/shared-faults.ts'

export const list =
  (pager: Pager): Handler<typeof listAuditEntries> =>
  async (input, { db, workspaceId }) => {
    assertSpan('created', input.createdAfter, input.createdBefore, refuseParameter)
    const paging = pager.open('audit-entries.list', workspaceId, input, '-number')
    const rows = await db.auditEntry.findMany({
      where: { workspaceId, ...filter(input), ...beyond(paging) },
      orderBy: { number: 'desc' },
      take: paging.limit + 1,
    })
    return pager.page(rows, paging, ({ number }) => String(number), fromRow)
  }

function filter({
  action,
  outcome,
  actorId,
  targetId,
  createdAfter,
  createdBefore,
}: Input<typeof listAuditEntries>): Prisma.AuditEntryWhereInput {
  return {
    ...(action && { action: { in: action } }),
    ...(outcome && { outcome }),
    ...(actorId && { actor: { path: ['id'], equals: actorId } }),
    ...(targetId && { target: { path: ['id'], equals: targetId } }),
    at: { ...(createdAfter && { gt: new Date(createdAfter) }), ...(createdBefore && { lt: new Date(createdBefore) }) },
  }
}

// Numbers are unique: no second sort value is needed.
const beyond = ({ after }: Paging): Prisma.AuditEntryWhereInput =>
  after === null ? {} : { number: { lt: BigInt(after.value) } }
