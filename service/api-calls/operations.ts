// The API log as it is read: filtered, in pages of which each looks through a bounded number of calls, and followed
// from a call that was seen. Calls are in the order of their ids, which is that in which they were recorded.
import { callsLookedThroughMax, callsSettleMs, type getRequest, type listRequests } from '#contract/api-calls.ts'
import type { Input } from '#contract/operation.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { firstIdAt } from '#runtime/new-id.ts'
import { rowsFor, type Pager, type Paging } from '../collection/pagination.ts'
import type { Db, Handler, Handlers } from '../execution/call.ts'
import { notFoundById, refuseParameter } from '../faults/shared-faults.ts'
import { assertSpan } from '../validation/query-parameters.ts'
import { reportedWithinMs, toLoggedRequest } from './rows.ts'

type Filter = Prisma.ApiCallWhereInput
type ListInput = Input<typeof listRequests>

export const apiCallHandlers = ({ pager }: { readonly pager: Pager }) =>
  ({ 'requests.list': list(pager), 'requests.get': get }) satisfies Partial<Handlers>

const get: Handler<typeof getRequest> = async ({ id }, { db, workspaceId }) => {
  const row = await db.apiCall.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw notFoundById('request')
  return toLoggedRequest(row)
}

const list =
  (pager: Pager): Handler<typeof listRequests> =>
  async (input, { db, workspaceId, now }) => {
    const { afterId, createdAfter, createdBefore } = input
    assertSpan('created', createdAfter, createdBefore, refuseParameter)
    const paging = pager.open('requests.list', workspaceId, input, afterId === undefined ? '-id' : 'id')
    const between = rangeOf(input, paging, now)
    const filter = { workspaceId, ...(await filterOf(db, workspaceId, input)) }
    const scannedTo = isIndexed(input) ? null : await endOfScan(db, workspaceId, between, paging)
    const within = scannedTo === null ? [] : [{ id: { [paging.descending ? 'gte' : 'lte']: scannedTo } }]
    const rows = await db.apiCall.findMany({
      where: { ...filter, AND: [...(filter.AND ?? []), ...between, ...within] },
      orderBy: { id: orderOf(paging) },
      take: rowsFor(paging.limit),
    })
    return pager.page(rows, paging, ({ id }) => id, toLoggedRequest, scannedTo)
  }

const orderOf = ({ descending }: Paging) => (descending ? 'desc' : 'asc')

/** Ids tell when a call was recorded, which is after it came in, and not long after. */
function rangeOf({ afterId, createdAfter, createdBefore }: ListInput, paging: Paging, now: Date): Filter[] {
  const { after: shown, descending } = paging
  const idsAt = (ms: number): string => firstIdAt(new Date(ms))
  return [
    ...(shown === null ? [] : [{ id: { [descending ? 'lt' : 'gt']: shown.id } }]),
    ...(afterId === undefined ? [] : [{ id: { gt: afterId, lt: idsAt(now.getTime() - callsSettleMs) } }]),
    ...(createdAfter === undefined ? [] : [{ at: { gt: createdAfter }, id: { gt: idsAt(beginningOf(createdAfter)) } }]),
    ...(createdBefore === undefined
      ? []
      : [{ at: { lt: createdBefore }, id: { lt: idsAt(Date.parse(createdBefore) + reportedWithinMs) } }]),
  ]
}

/** The clocks of gateways and services differ by less. */
const clocksDifferMs = 3_600_000
const beginningOf = (time: string): number => Date.parse(time) - clocksDifferMs

/** Of these filters each has an index: what it leaves is little, or the page is soon full. */
const isIndexed = (input: ListInput): boolean =>
  input.objectId !== undefined || input.requestId !== undefined || Object.keys(input).every((name) => byIndex.has(name))
const byIndex = new Set(['limit', 'cursor', 'afterId', 'apiKeyId', 'createdAfter', 'createdBefore'])

/** The id of the last call that this page looks at; null where there are no more than that. */
async function endOfScan(db: Db, workspaceId: string, between: Filter[], paging: Paging): Promise<string | null> {
  const [end] = await db.apiCall.findMany({
    where: { workspaceId, AND: between.map(({ id }) => ({ id: id ?? {} })) },
    orderBy: { id: orderOf(paging) },
    skip: callsLookedThroughMax - 1,
    take: 1,
    select: { id: true },
  })
  return end?.id ?? null
}

async function filterOf(db: Db, workspaceId: string, input: ListInput): Promise<Filter & { AND?: Filter[] }> {
  const { apiKeyId, memberId, objectId, requestId, method, operation, surface, code, path, ip } = input
  const any = [
    input.status === undefined ? null : { OR: input.status.map(ofStatus) },
    input.outcome === undefined ? null : ofOutcome[input.outcome],
    input.search === undefined ? null : holding(input.search),
    memberId === undefined ? null : { apiKeyId: { in: await keysOfMember(db, workspaceId, memberId) } },
  ]
  return {
    ...(apiKeyId && { apiKeyId }),
    ...(objectId && { objectId }),
    ...(requestId && { requestId }),
    ...(method && { method: { in: method } }),
    ...(operation && { operation: { in: operation } }),
    ...(surface && { surface }),
    ...(code && { code: { in: code } }),
    ...(path && { path: { startsWith: literal(path) } }),
    ...(ip && { ip }),
    AND: any.filter((each) => each !== null),
  }
}

const ofStatus = (status: string): Filter => {
  const first = Number(status[0]) * 100
  return status.endsWith('xx') ? { status: { gte: first, lt: first + 100 } } : { status: Number(status) }
}

const ofOutcome: Readonly<Record<NonNullable<ListInput['outcome']>, Filter>> = {
  refused: { OR: [{ status: { gte: 400 } }, { code: { not: null } }] },
  success: { status: { lt: 400 }, code: null },
}

const holding = (text: string): Filter => {
  const contains = { contains: literal(text), mode: 'insensitive' } as const
  const fields = ['path', 'operation', 'code', 'detail', 'requestId', 'ip'] as const
  return { OR: fields.map((field) => ({ [field]: contains })) }
}

/** Prisma compares by LIKE, and leaves its signs as they are. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

const keysMax = 1_000

/** Those of the workspace itself: whose a key of another one is, is said there. */
async function keysOfMember(db: Db, workspaceId: string, memberId: string): Promise<string[]> {
  const keys = await db.apiKey.findMany({
    where: { workspaceId, OR: [{ ownerId: memberId }, { createdBy: { path: ['id'], equals: memberId } }] },
    select: { id: true },
    orderBy: { createdAt: 'desc' },
    take: keysMax,
  })
  return keys.map(({ id }) => id)
}
