// The conditions of a list that is filtered by custom fields, as SQL over the table `t`. The definition of a field
// decides how its values are compared.
import type { CustomFieldTarget } from '#contract/custom-fields.ts'
import { Fault } from '#contract/faults/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import type { Call, Db } from '../execution/call.ts'
import {
  anyAlone,
  choiceWithEmpty,
  hasOneEmptiness,
  hasOneSense,
  twoSenses,
  isNegated,
  withoutNegation,
} from '../validation/query-parameters.ts'
import { didYouMean } from '../validation/unknown-field.ts'
import { isMemberName, memberIdsNamed, noOwner } from '../members/rows.ts'
import type { Group } from '../collection/definition.ts'
import { chosen } from '../collection/filters.ts'
import { findDefinitions } from './rows.ts'
import type { Definition } from './rules.ts'
import { valueError } from './values.ts'

export type Bounds = { readonly eq?: readonly string[]; readonly gte?: string; readonly lte?: string }

type Filtered = { readonly table: string; readonly targets: readonly CustomFieldTarget[] }

export async function customFieldConditions(
  { table, targets }: Filtered,
  filter: Readonly<Record<string, Bounds>>,
  call: Call,
): Promise<Prisma.Sql[]> {
  const { db, workspaceId } = call
  const definitions = await definitionsOf(targets, call)
  const conditions: Prisma.Sql[] = []
  for (const [key, bounds] of Object.entries(filter)) {
    const definition = definitionOf(key, definitions)
    const eq = bounds.eq && (await valuesWithMemberIds(definition, bounds.eq, call))
    conditions.push(...conditionsOn(definition, { ...bounds, ...(eq && { eq }) }))
    await assertOptions(db, workspaceId, { table, definition, values: choiceWithEmpty(eq ?? []).values })
  }
  return conditions
}

async function definitionsOf(
  targets: readonly CustomFieldTarget[],
  { db, workspaceId }: Call,
): Promise<readonly Definition[]> {
  const definitions: Definition[] = []
  for (const target of targets) definitions.push(...(await findDefinitions(db, workspaceId, target)))
  return definitions
}

type Grouped = { readonly key: string; readonly targets: readonly CustomFieldTarget[] }

/** Each option of a choice of several is a group. */
export async function customFieldGroup({ key, targets }: Grouped, alias: string, call: Call): Promise<Group> {
  const { type } = definitionOf(key, await definitionsOf(targets, call))
  if (type !== 'multi_select') return { value: Prisma.sql`t.custom_fields ->> ${key}::text`, join: null }
  return {
    value: Prisma.raw(`${alias}.value`),
    join: Prisma.sql`LEFT JOIN LATERAL jsonb_array_elements_text(
      CASE jsonb_typeof(t.custom_fields -> ${key}::text) WHEN 'array' THEN t.custom_fields -> ${key}::text END
    ) ${Prisma.raw(`${alias}(value)`)} ON TRUE`,
  }
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
  if (!hasOneEmptiness(given)) throw filterRefused(key, anyAlone)
  const isEmpty = Prisma.sql`coalesce(t.custom_fields -> ${key}::text, '[]') IN ('null', '[]')`
  // An object without a value matches the negation: it has none of these.
  return chosen(choiceWithEmpty(given), isEmpty, (values) =>
    type === 'multi_select'
      ? Prisma.sql`jsonb_exists_any(t.custom_fields -> ${key}::text, ${values}::text[])`
      : Prisma.sql`${valueIn(definition)} IN (${Prisma.join(values.map(boundOf(definition)))})`,
  )
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

type HeldValue = { readonly workspaceId: string; readonly key: string; readonly value: string }

const holdersOf = query(
  { id: column.uuid },
  (table: string, { workspaceId, key, value }: HeldValue) => Prisma.sql`
    SELECT id FROM ${Prisma.raw(table)} WHERE workspace_id = ${workspaceId}::uuid
      AND custom_fields -> ${key}::text @> to_jsonb(${value}::text) LIMIT 1`,
  [['task', { workspaceId: '', key: '', value: '' }]],
)

type Chosen = { readonly table: string; readonly definition: Definition; readonly values: readonly string[] }

/** Refuses what is no option. One that was removed may still be the value of an object: that is taken. */
async function assertOptions(db: Db, workspaceId: string, { table, definition, values }: Chosen): Promise<void> {
  const { key, type, options } = definition
  if (type !== 'select' && type !== 'multi_select') return
  for (const value of values.filter((each) => !options.includes(each))) {
    const holders = await holdersOf(db, table, { workspaceId, key, value })
    if (holders.length === 0) throw filterRefused(key, `Is no option.${didYouMean(value, options)}`, options)
  }
}

/** The value's text as it is stored. Refuses what can be no value of the type, and so would silently match nothing. */
function columnText(definition: Definition, given: string): string {
  const { key, type } = definition
  const text = type === 'user' ? given.toLowerCase() : given
  const detail = type === 'number' ? numberError(text) : valueError(definition, valueOf(type, text), text)?.detail
  if (detail === undefined) return text
  throw filterRefused(key, detail)
}

/** Takes numbers in the form that the database reads too. */
const numberError = (text: string): string | undefined =>
  /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text) ? undefined : 'Must be a number.'

const valueOf = (type: Definition['type'], text: string): unknown =>
  type === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : text

/** `allowed`, if given, is the list of values that the field takes. */
function filterRefused(key: string, detail: string, allowed?: readonly string[]): Fault {
  const parameter = `customFields.${key}`
  const error =
    allowed === undefined ? ({ code: 'wrong_format' } as const) : ({ code: 'not_in_list', allowed } as const)
  return new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors: [{ parameter, ...error, detail }] })
}

/** Replaces `me` and emails in the values of a filter, which may begin with `!`. */
async function valuesWithMemberIds(
  { key, type }: Pick<Definition, 'key' | 'type'>,
  values: readonly string[],
  call: Call,
): Promise<readonly string[]> {
  const names = type === 'user' ? values.map(withoutNegation).filter(isMemberName) : []
  if (names.length === 0) return values
  const ids = await memberIdsNamed([...new Set(names)], call)
  return values.map((each) => {
    const name = withoutNegation(each)
    if (!isMemberName(name)) return each
    if (name.toLowerCase() === 'me' && !ids.has(name)) throw filterRefused(key, noOwner)
    return `${isNegated(each) ? '!' : ''}${ids.get(name) ?? idOfNone}`
  })
}

/** An email that nobody has finds nothing. */
const idOfNone = '00000000-0000-0000-0000-000000000000'
