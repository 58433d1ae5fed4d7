// What an answer shows of objects: the fields and the related objects that the call asks for, of a list and of a change
// alike.
import { upsertResult } from '#contract/collection/declaration.ts'
import type { Call } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import type { Collection, CollectionHandler, Fields, Resource } from './definition.ts'
import { expander } from './expand.ts'

/** The fields that are shown even when `fields` does not name them. */
export const alwaysShown = ['id', 'object', 'version']
/** Of a deleted object only its id, version, ids elsewhere and the time of the deletion are shown. */
const ofDeleted: ReadonlySet<string> = new Set([...alwaysShown, 'externalIds', 'deletedAt'])

export type Shape = { readonly fields?: readonly string[] | undefined; readonly expand?: readonly string[] | undefined }

/** Loads what is expanded for all the objects at once, and returns what the answer shows of each of them. */
export async function shaper<R extends Resource>(
  collection: Collection<R>,
  { fields, expand = [] }: Shape,
  call: Call,
  objects: readonly R[],
): Promise<(object: R) => Fields> {
  const expanded = await expander(collection, expand, call, objects)
  const names =
    fields === undefined ? undefined : new Set([...alwaysShown, ...Object.keys(upsertResult), ...fields, ...expand])
  return (object) => shown(expanded(object), names)
}

/** Refuses a field of `fields` that only `expand` loads, and that would be missing from the answer without a word. */
export function assertExpanded<R extends Resource>(
  { expansions }: Collection<R>,
  { fields = [], expand = [] }: Shape,
): void {
  const lacking = fields.find((field) => Object.hasOwn(expansions, field) && !expand.includes(field))
  if (lacking !== undefined)
    refuseParameter('expand', 'required', `Name \`${lacking}\` here as well: \`fields\` asks for it.`)
}

function shown(object: Fields, fields: ReadonlySet<string> | undefined): Fields {
  const names = object['deletedAt'] === null ? fields : ofDeleted
  if (names === undefined) return object
  const kept: Record<string, unknown> = {}
  for (const field of Object.keys(object)) if (names.has(field)) kept[field] = object[field]
  return kept
}

/** The handler of a change, which answers with the object as the call asks for it. */
export function shapingAnswer<R extends Resource>(
  collection: Collection<R>,
  handler: (input: Fields, call: Call) => Promise<unknown>,
): CollectionHandler {
  return async ({ fields, expand, ...input }, call) => {
    // The operation's schema has checked both.
    const shape = { fields, expand } as Shape
    assertExpanded(collection, shape)
    const object = (await handler(input, call)) as R
    return (await shaper(collection, shape, call, [object]))(object)
  }
}
