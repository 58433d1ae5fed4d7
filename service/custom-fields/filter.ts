// Lists narrowed by custom fields, as SQL over the table `t`. What a value means is said by the field's definition.
import type { CustomFieldTarget } from '#contract/custom-field-schema.ts'
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { didYouMean } from '../text/suggestion.ts'
import type { Call, Db } from '../execution/handler.ts'
import { bare, choiceOf, hasOneSense, twoSenses } from '../lists/list-values.ts'
import { findDefinitions } from './rows.ts'
import { complaintAbout } from './types.ts'
import type { Definition } from './values.ts'

type Bounds = { readonly eq?: readonly string[]; readonly gte?: string; readonly lte?: string }

type Fields = Readonly<Record<string, unknown>>
type Filtered = {
  readonly table: string
  readonly customFieldTargets?: (object: Fields) => readonly CustomFieldTarget[]
}

/** `asked`: the other filters, which may say what kinds of objects there can be. */
export async function customFieldConditions(
  { table, customFieldTargets }: Filtered,
  asked: Fields,
  filter: Readonly<Record<string, Bounds>>,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<Prisma.Sql[]> {
  const definitions: Definition[] = []
  for (const target of customFieldTargets?.(asked) ?? [])
    definitions.push(...(await findDefinitions(db, workspaceId, target)))
  const conditions: Prisma.Sql[] = []
  for (const [key, bounds] of Object.entries(filter)) {
    const definition = definitionOf(key, definitions)
    conditions.push(...conditionsOn(definition, bounds))
    await assertChosen(db, workspaceId, { table, definition, values: (bounds.eq ?? []).map(bare) })
  }
  return conditions
}

function definitionOf(key: string, definitions: readonly Definition[]): Definition {
  const named = definitions.filter((each) => each.key === key)
  const [definition] = named
  if (definition === undefined) {
    const known = definitions.map((each) => each.key)
    throw refused(key, `There is no such custom field.${didYouMean(key, known)}`)
  }
  if (named.some(({ type }) => type !== definition.type)) {
    throw refused(key, 'Has different types for different kinds: name one `kind` as well.')
  }
  return definition
}

function conditionsOn(definition: Definition, { eq, gte, lte }: Bounds): Prisma.Sql[] {
  const { key, type } = definition
  const ranged = type === 'number' || type === 'date'
  if (!ranged && (gte !== undefined || lte !== undefined)) throw refused(key, 'Only numbers and dates have a range.')
  const text = Prisma.sql`t.custom_fields ->> ${key}::text`
  const cast = type === 'number' ? 'numeric' : 'text'
  // Another kind may have text under the key, and nothing says that rows are asked for their kind first.
  const value =
    type === 'number'
      ? Prisma.sql`CASE WHEN jsonb_typeof(t.custom_fields -> ${key}::text) = 'number' THEN (${text})::numeric END`
      : text
  const bound = (given: string) => Prisma.sql`${readAs(definition, given)}::text::${Prisma.raw(cast)}`
  const conditions: Prisma.Sql[] = []
  if (eq !== undefined) {
    if (!hasOneSense(eq)) throw refused(key, twoSenses)
    const { values, negated } = choiceOf(eq)
    const any =
      type === 'multi_select'
        ? Prisma.sql`jsonb_exists_any(t.custom_fields -> ${key}::text, ${values}::text[])`
        : Prisma.sql`${value} IN (${Prisma.join(values.map(bound))})`
    // What has no value has none of these.
    conditions.push(negated ? Prisma.sql`(${any}) IS NOT TRUE` : any)
  }
  if (gte !== undefined) conditions.push(Prisma.sql`${value} >= ${bound(gte)}`)
  if (lte !== undefined) conditions.push(Prisma.sql`${value} <= ${bound(lte)}`)
  if (gte !== undefined && lte !== undefined) assertRange(definition, gte, lte)
  return conditions
}

function assertRange({ key, type }: Definition, gte: string, lte: string): void {
  const isEmpty = type === 'number' ? Number(gte) > Number(lte) : gte > lte
  if (isEmpty) throw refused(key, '`lte` is less than `gte`: nothing can match.')
}

type Chosen = { readonly table: string; readonly definition: Definition; readonly values: readonly string[] }

/** An option that was taken away may still stand somewhere; one that stands nowhere was never meant. */
async function assertChosen(db: Db, workspaceId: string, { table, definition, values }: Chosen): Promise<void> {
  const { key, type, options } = definition
  if (type !== 'select' && type !== 'multi_select') return
  for (const value of values.filter((each) => !options.includes(each))) {
    const rows = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM ${Prisma.raw(table)} WHERE workspace_id = ${workspaceId}::uuid
        AND custom_fields -> ${key}::text @> to_jsonb(${value}::text) LIMIT 1`
    if (rows.length === 0) throw refused(key, `Is no option.${didYouMean(value, options)}`, options)
  }
}

/** The text of a value, as it is kept. What can be no value of the type would silently match nothing. */
function readAs(definition: Definition, given: string): string {
  const { key, type } = definition
  const text = type === 'user' ? given.toLowerCase() : given
  const detail = type === 'number' ? notANumber(text) : complaintAbout(definition, valueOf(type, text), text)?.detail
  if (detail === undefined) return text
  throw refused(key, detail)
}

/** As the database reads them too. */
const notANumber = (text: string): string | undefined =>
  /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text) ? undefined : 'Must be a number.'

const valueOf = (type: Definition['type'], text: string): unknown =>
  type === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : text

function refused(key: string, detail: string, allowed?: readonly string[]): Fault {
  const parameter = `customFields.${key}`
  const error =
    allowed === undefined ? ({ code: 'wrong_format' } as const) : ({ code: 'not_in_list', allowed } as const)
  return new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors: [{ parameter, ...error, detail }] })
}
