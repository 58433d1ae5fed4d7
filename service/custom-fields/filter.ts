// Lists narrowed by custom fields, as SQL over the table `t`. What a value means is said by the field's definition.
import type { CustomFieldTarget } from '#contract/custom-fields.ts'
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { didYouMean } from '../near.ts'
import type { Call } from '../handler.ts'
import { findDefinitions } from './rows.ts'
import { complaintAbout } from './types.ts'
import type { Definition } from './values.ts'

type Bounds = { readonly eq?: readonly string[]; readonly gte?: string; readonly lte?: string }

export async function customFieldConditions(
  targets: readonly CustomFieldTarget[],
  filter: Readonly<Record<string, Bounds>>,
  { db, workspaceId }: Call,
): Promise<Prisma.Sql[]> {
  const definitions: Definition[] = []
  for (const target of targets) definitions.push(...(await findDefinitions(db, workspaceId, target)))
  return Object.entries(filter).flatMap(([key, bounds]) => conditionsOn(definitionOf(key, definitions), bounds))
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
  if (eq !== undefined && type === 'multi_select') {
    conditions.push(Prisma.sql`jsonb_exists_any(t.custom_fields -> ${key}::text, ${[...eq]}::text[])`)
  } else if (eq !== undefined) {
    conditions.push(Prisma.sql`${value} IN (${Prisma.join(eq.map(bound))})`)
  }
  if (gte !== undefined) conditions.push(Prisma.sql`${value} >= ${bound(gte)}`)
  if (lte !== undefined) conditions.push(Prisma.sql`${value} <= ${bound(lte)}`)
  return conditions
}

/**
 * The text of a value, as it is kept. What can be no value of the type would silently match nothing; an option that was
 * taken away may still stand somewhere.
 */
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

function refused(key: string, detail: string): Fault {
  const parameter = `customFields.${key}`
  return new Fault('invalid_parameter', `${parameter}: ${detail}`, {
    errors: [{ parameter, code: 'wrong_format', detail }],
  })
}
