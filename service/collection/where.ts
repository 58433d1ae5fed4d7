// The conditions of a list or count: the workspace, the filters, the search `q`, and no deleted objects.
import { Prisma } from '#prisma/generated/client.ts'
import { customFieldConditions } from '../custom-fields/filter.ts'
import type { Call } from '../execution/handler.ts'
import { hasOneSense, isNegated, twoSenses } from '../lists/list-values.ts'
import { matching } from '../lists/search-terms.ts'
import { assertSpans } from '../lists/time-range.ts'
import type { Collection } from './define.ts'
import type { Fields, Resource } from './resource.ts'
import { after, before, columnIn, type Filter } from './filters.ts'
import { refuseParameter } from '../faults/field-refusals.ts'

const commonFilters: Readonly<Record<string, Filter>> = {
  ids: columnIn('id', 'uuid'),
  externalSource: columnIn('external_source'),
  createdAfter: after('created_at'),
  createdBefore: before('created_at'),
  updatedAfter: after('updated_at'),
  updatedBefore: before('updated_at'),
}

/** `counted`: all that match are looked at, and not a page of them. */
export async function conditionsFor<R extends Resource>(
  collection: Collection<R>,
  input: Fields,
  call: Call,
  counted = false,
): Promise<Prisma.Sql[]> {
  assertSpans(input, refuseParameter)
  const filters = { ...commonFilters, ...collection.filters }
  const conditions = [Prisma.sql`t.workspace_id = ${call.workspaceId}::uuid`]
  if (input['includeDeleted'] !== true) conditions.push(Prisma.sql`t.deleted_at IS NULL`)
  for (const [name, filter] of Object.entries(filters)) {
    const value = input[name]
    if (value === undefined && !name.startsWith('include')) continue
    assertSense(name, value, filter)
    conditions.push(filter.condition(value, input))
  }
  if (typeof input['q'] === 'string') conditions.push(await matching(collection, call, input['q'], counted))
  const byField = input['customFields'] as Parameters<typeof customFieldConditions>[2] | undefined
  if (byField !== undefined) conditions.push(...(await customFieldConditions(collection, input, byField, call)))
  return conditions
}

function assertSense(parameter: string, value: unknown, { all }: Filter): void {
  if (!Array.isArray(value)) return
  const given = value.map(String)
  if (!hasOneSense(given)) refuseParameter(parameter, 'wrong_format', twoSenses)
  if (!all || !given.some(isNegated)) return
  const any = parameter.replace(/All$/, '')
  const detail = `Takes no \`!\`: \`${any}\` leaves out what has a value. One that begins with it is written \`\\!\`.`
  refuseParameter(parameter, 'wrong_format', detail)
}
