// The conditions of a list that is filtered by custom fields, as SQL over the table `t`. What a value means is said by
// the definition of its field.
import type { CustomFieldTarget } from '#contract/custom-fields.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call, Db } from '../execution/handler.ts'
import { bare, choiceOf, hasOneSense, twoSenses } from '../lists/list-values.ts'
import { didYouMean } from '../text/suggestion.ts'
import { columnText, filterRefused } from './filter-values.ts'
import { valuesWithOwner } from './owner-as-value.ts'
import type { Definition } from './patch-values.ts'
import { findDefinitions } from './rows.ts'

type Bounds = { readonly eq?: readonly string[]; readonly gte?: string; readonly lte?: string }

type Fields = Readonly<Record<string, unknown>>
type Filtered = {
  readonly table: string
  readonly customFieldTargets?: (query: Fields) => readonly CustomFieldTarget[]
}

/** `query` holds the other filters, which may say of what kind the objects are. */
export async function customFieldConditions(
  { table, customFieldTargets }: Filtered,
  query: Fields,
  filter: Readonly<Record<string, Bounds>>,
  call: Call,
): Promise<Prisma.Sql[]> {
  const { db, workspaceId } = call
  const definitions: Definition[] = []
  for (const target of customFieldTargets?.(query) ?? [])
    definitions.push(...(await findDefinitions(db, workspaceId, target)))
  const conditions: Prisma.Sql[] = []
  for (const [key, bounds] of Object.entries(filter)) {
    const definition = definitionOf(key, definitions)
    const eq = bounds.eq && (await valuesWithOwner(definition, bounds.eq, call))
    conditions.push(...conditionsOn(definition, { ...bounds, ...(eq && { eq }) }))
    await assertOptions(db, workspaceId, { table, definition, values: (eq ?? []).map(bare) })
  }
  return conditions
}

function definitionOf(key: string, definitions: readonly Definition[]): Definition {
  const withKey = definitions.filter((each) => each.key === key)
  const [definition] = withKey
  if (definition === undefined) {
    const known = definitions.map((each) => each.key)
    throw filterRefused(key, `There is no such custom field.${didYouMean(key, known)}`)
  }
  if (withKey.some(({ type }) => type !== definition.type)) {
    throw filterRefused(key, 'Has different types for different kinds: name one `kind` as well.')
  }
  return definition
}

function conditionsOn(definition: Definition, { eq, gte, lte }: Bounds): Prisma.Sql[] {
  const { key, type } = definition
  const hasRange = type === 'number' || type === 'date'
  if (!hasRange && (gte !== undefined || lte !== undefined)) {
    throw filterRefused(key, 'Only numbers and dates have a range.')
  }
  // Days are compared as their text is written, in no language's order.
  const value = type === 'date' ? Prisma.sql`(${valueIn(definition)}) COLLATE "C"` : valueIn(definition)
  const bound = boundOf(definition)
  const conditions = eq === undefined ? [] : [oneOf(definition, eq)]
  if (gte !== undefined) conditions.push(Prisma.sql`${value} >= ${bound(gte)}`)
  if (lte !== undefined) conditions.push(Prisma.sql`${value} <= ${bound(lte)}`)
  if (gte !== undefined && lte !== undefined) assertRange(definition, gte, lte)
  return conditions
}

function oneOf(definition: Definition, given: readonly string[]): Prisma.Sql {
  const { key, type } = definition
  if (!hasOneSense(given)) throw filterRefused(key, twoSenses)
  const { values, negated } = choiceOf(given)
  const any =
    type === 'multi_select'
      ? Prisma.sql`jsonb_exists_any(t.custom_fields -> ${key}::text, ${values}::text[])`
      : Prisma.sql`${valueIn(definition)} IN (${Prisma.join(values.map(boundOf(definition)))})`
  // An object without a value matches the negation: it has none of these.
  return negated ? Prisma.sql`(${any}) IS NOT TRUE` : any
}

/** The object's value. */
function valueIn({ key, type }: Definition): Prisma.Sql {
  const text = Prisma.sql`t.custom_fields ->> ${key}::text`
  if (type !== 'number') return text
  // Another kind may have text under the key, and the database may look at its rows before it compares their kind.
  return Prisma.sql`CASE WHEN jsonb_typeof(t.custom_fields -> ${key}::text) = 'number' THEN (${text})::numeric END`
}

/** Makes of a value of the filter what the object's value is compared with. */
const boundOf =
  (definition: Definition) =>
  (given: string): Prisma.Sql =>
    Prisma.sql`${columnText(definition, given)}::text::${Prisma.raw(definition.type === 'number' ? 'numeric' : 'text')}`

function assertRange({ key, type }: Definition, gte: string, lte: string): void {
  const isEmpty = type === 'number' ? Number(gte) > Number(lte) : gte > lte
  if (isEmpty) throw filterRefused(key, '`lte` is less than `gte`: nothing can match.')
}

type Chosen = { readonly table: string; readonly definition: Definition; readonly values: readonly string[] }

/** Refuses what is no option. One that was removed may still be the value of an object: that is taken. */
async function assertOptions(db: Db, workspaceId: string, { table, definition, values }: Chosen): Promise<void> {
  const { key, type, options } = definition
  if (type !== 'select' && type !== 'multi_select') return
  for (const value of values.filter((each) => !options.includes(each))) {
    const rows = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM ${Prisma.raw(table)} WHERE workspace_id = ${workspaceId}::uuid
        AND custom_fields -> ${key}::text @> to_jsonb(${value}::text) LIMIT 1`
    if (rows.length === 0) throw filterRefused(key, `Is no option.${didYouMean(value, options)}`, options)
  }
}
