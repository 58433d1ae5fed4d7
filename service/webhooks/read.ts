import type { getWebhook, listWebhooks } from '#contract/webhooks.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Handler } from '../execution/handler.ts'
import { keyset, type Pager } from '../lists/cursor-pagination.ts'
import { unreadablePatterns } from './access.ts'
import { findWebhook, findWebhooks, toWebhook } from './rows.ts'
import { lastDay, statsOf } from './stats.ts'

export const get: Handler<typeof getWebhook> = ({ id }, call) => findWebhook(call, id)

export const list =
  (pager: Pager): Handler<typeof listWebhooks> =>
  async (input, { db, workspaceId, principal, now }) => {
    const paging = pager.open('webhooks.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const { status, eventTypes, grantedBy } = input
    const filter = {
      workspaceId,
      deletedAt: null,
      NOT: { eventTypes: { hasSome: unreadablePatterns(principal.scopes) } },
      ...(grantedBy !== undefined && { OR: grantedByActor(grantedBy) }),
      ...(status && { status: { in: status } }),
      ...(eventTypes !== undefined && { eventTypes: { hasSome: typesOf(eventTypes).flatMap(patternsMatching) } }),
    }
    const rows = await findWebhooks(db, { AND: [filter, beyond] }, page, now)
    const ids = rows.map(({ id }) => id)
    const stats = await statsOf(db, workspaceId, lastDay(ids, now))
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => toWebhook(row, stats[ids.indexOf(row.id)], now),
    )
  }

/** A webhook without grants was made by a release that had none: it counts as granted by whoever made it. */
const grantedByActor = (id: string): Prisma.WebhookWhereInput[] => [
  { grants: { path: ['grantedBy', 'id'], equals: id } },
  { grants: { equals: Prisma.DbNull }, createdBy: { path: ['id'], equals: id } },
]

const patternsMatching = (eventType: string): string[] => ['*', eventType, `${eventType.split('.')[0]}.*`]
