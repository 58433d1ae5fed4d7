// Refuses conditions on values that no event of a webhook can meet. Pure.
import { isUpdate } from '#contract/event.ts'
import { isNullable, type SchemaNode } from '#contract/json-schema.ts'
import { comparableAmount, judgedShapes } from '#contract/webhook-conditions.ts'
import type { FilterValues } from '#contract/webhook-values.ts'

type Part = 'is' | 'from' | 'to' | 'contains' | 'added' | 'removed'
type Wanted = readonly (string | null)[]
type Condition = Readonly<Partial<Record<Part, Wanted>>> & { readonly above?: string; readonly below?: string }
type Refuse = (part: string, detail: string) => never

/** `types`: those that pass the rest of the filter; `isWanted`: whether the filter leaves objects with such fields. */
export function assertValues(
  values: FilterValues,
  types: readonly string[],
  isWanted: (properties: Readonly<Record<string, SchemaNode>>) => boolean,
  refuse: Refuse,
): void {
  for (const [field, condition] of Object.entries(values) as [keyof FilterValues, Condition][]) {
    const refuseAt = (detail: string, ...steps: readonly (string | number)[]): never =>
      refuse(['values', field, ...steps].join('/'), detail)
    const having = types.flatMap((type) => {
      const shapes = judgedShapes(type).filter(({ properties }) => isWanted(properties))
      return shapes.flatMap(({ properties }) => (field in properties ? [{ type, schema: properties[field]! }] : []))
    })
    if (having.length === 0) refuseAt(`Nothing in \`eventTypes\` that passes the filter has a field \`${field}\`.`)
    assertUpdates(
      condition,
      having.map(({ type }) => type),
      refuseAt,
    )
    assertMembers(
      condition,
      having.map(({ schema }) => schema),
      refuseAt,
    )
    assertMeetable(condition, refuseAt)
  }
}

type RefuseAt = (detail: string, ...steps: readonly (string | number)[]) => never

const partsOfUpdates = ['from', 'to', 'added', 'removed'] as const

function assertUpdates(condition: Condition, types: readonly string[], refuseAt: RefuseAt): void {
  const part = partsOfUpdates.find((each) => condition[each] !== undefined)
  if (part !== undefined && !types.some(isUpdate))
    refuseAt('It is about updates, and no update in `eventTypes` has this field.', part)
}

/** A status that projects alone have is none of tasks. */
function assertMembers(condition: Condition, schemas: readonly SchemaNode[], refuseAt: RefuseAt): void {
  const choices = schemas.map(
    ({ enum: members, anyOf = [] }) => members ?? anyOf.find((one) => 'enum' in one)?.['enum'],
  )
  const members = choices.every((choice) => choice !== undefined) ? [...new Set(choices.flat())] : null
  for (const part of ['is', 'from', 'to'] as const)
    for (const [at, value] of (condition[part] ?? []).entries()) {
      if (value === null && !schemas.some(isNullable)) refuseAt('The field is never empty.', part, at)
      if (value !== null && members !== null && !members.includes(value))
        refuseAt(
          `With these \`eventTypes\` it is one of ${members.map((one) => `\`${one as string}\``).join(', ')}.`,
          part,
          at,
        )
    }
}

type Pair = readonly [part: Part, other: Part, isMeetable: (one: string | null, other: string | null) => boolean]

/** Of two parts that hold of one update, some value of each must go together. */
const pairs: readonly Pair[] = [
  ['from', 'to', (one, other) => one !== other],
  ['removed', 'added', (one, other) => one !== other],
  ['removed', 'contains', (one, other) => one !== other],
  ['added', 'contains', (_one, other) => other !== null],
]

function assertMeetable(condition: Condition, refuseAt: RefuseAt): void {
  for (const [part, other, isMeetable] of pairs)
    if (condition[part]?.every((one) => condition[other]?.every((value) => !isMeetable(one, value)) === true))
      refuseAt(`No update meets both \`${part}\` and \`${other}\`.`, other)
  const { is, to, above, below } = condition
  if (is && to && !to.some((value) => is.includes(value))) refuseAt('No update meets both `is` and `to`.', 'to')
  if (above !== undefined && below !== undefined && comparableAmount(above) >= comparableAmount(below))
    refuseAt('No amount is above `above` and below `below`.', 'below')
}
