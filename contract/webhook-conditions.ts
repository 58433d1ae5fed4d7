// Of which events a webhook asks the conditions of `filter.values`. The service refuses by it what can never hold, the
// dispatcher judges by it.
import { eventCatalogue } from './api.ts'
import type { SchemaNode } from './json-schema.ts'

/** One of the objects that the `data` of a type of event can be: its fields with their schemas. */
export type Shape = { readonly properties: Readonly<Record<string, SchemaNode>> }

const judgedObjects: ReadonlySet<unknown> = new Set(['task', 'project', 'crm_entity', 'document'])

/** Comments are on an object and have none of its fields. */
const isJudgedObject = ({ properties }: Shape): boolean => judgedObjects.has(properties['object']?.['const'])

const shapesByType: ReadonlyMap<string, readonly Shape[]> = new Map(
  eventCatalogue.flatMap(({ type, data }) => {
    const schema = data as Partial<Shape> & { readonly anyOf?: readonly Partial<Shape>[] }
    const shapes = (schema.anyOf ?? [schema]).flatMap(({ properties = {} }) => [{ properties }]).filter(isJudgedObject)
    return shapes.length === 0 ? [] : [[type, shapes] as const]
  }),
)

export const judgedTypes: readonly string[] = [...shapesByType.keys()]

/** None of a type that no condition is asked of. */
export const judgedShapes = (type: string): readonly Shape[] => shapesByType.get(type) ?? []

/** Can objects of this type of event have the field? A company has no stage: there it counts as empty. */
export const isJudgedBy = (field: string, type: string): boolean =>
  judgedShapes(type).some(({ properties }) => field in properties)

const fractionDigitsMax = 4

/** Of the amounts that the service takes, for exact comparison. */
export function comparableAmount(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(fractionDigitsMax, '0'))
}
