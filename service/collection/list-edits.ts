// Lists of which a call says what to add and what to remove, in place of all that they hold. Since the list is read and
// written under the lock of the workspace, of calls at the same time none undoes what another has added. Pure.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { withPlaces } from '../faults/shared-faults.ts'
import { stepsOf } from '../text/json.ts'
import { refusedFields } from '../validation/unknown-field.ts'
import type { Collection, Fields, Resource } from './definition.ts'

export type ListEdit = { readonly add?: readonly unknown[]; readonly remove?: readonly unknown[] }

export const isListEdit = (value: unknown): value is ListEdit =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(([name, items]) => ['add', 'remove'].includes(name) && Array.isArray(items))

/** What is equal to another; two spellings of a domain are. */
type FormOf = (value: unknown) => unknown
const itself: FormOf = (value) => value

/** What stays keeps its order, and what is new comes last. */
export function editedList(
  before: readonly unknown[],
  { add = [], remove = [] }: ListEdit,
  formOf = itself,
): unknown[] {
  const removed = new Set(remove.map(formOf))
  const kept = before.filter((value) => !removed.has(formOf(value)))
  const held = new Set(kept.map(formOf))
  return [...kept, ...add.filter((value) => held.size < held.add(formOf(value)).size)]
}

/** `place` is the pointer of the list. */
export function listEditErrors(place: string, { add = [], remove = [] }: ListEdit, formOf = itself): FieldError[] {
  const added = new Set(add.map(formOf))
  return remove.flatMap((value, at) =>
    added.has(formOf(value))
      ? [{ pointer: `${place}/remove/${at}`, code: 'not_unique', detail: 'Stands in `add` as well.' } as const]
      : [],
  )
}

/** Returns the patch with whole lists. `before` is empty for a new object. */
export function withWholeLists<R extends Resource>(collection: Collection<R>, before: Fields, patch: Fields): Fields {
  const errors: FieldError[] = []
  const whole = Object.entries(patch).flatMap(([field, given]): [string, unknown[]][] => {
    const { type, maxItems = Infinity }: SchemaNode = collection.fields[field] ?? {}
    if (type !== 'array' || !isListEdit(given)) return []
    const compared = collection.links.find((link) => link.field === field)?.compared
    const formOf: FormOf = (value) => (typeof value === 'string' ? (compared?.(value) ?? value) : membersOf(value))
    const list = editedList((before[field] as readonly unknown[] | undefined) ?? [], given, formOf)
    errors.push(...listEditErrors(`/${field}`, given, formOf))
    if (list.length > maxItems)
      errors.push({
        pointer: `/${field}/add`,
        code: 'too_long',
        detail: `The list would have more than ${maxItems} items.`,
      })
    return [[field, list]]
  })
  if (errors.length > 0) throw refusedFields(errors)
  return whole.length === 0 ? patch : { ...patch, ...Object.fromEntries(whole) }
}

/** An object by its members: two with the same ones are equal. */
const membersOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Does the work with whole lists; its Faults name places in what was sent. */
export async function asSent<T>(sent: Fields, whole: Fields, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof Fault) || sent === whole) throw thrown
    throw withPlaces(thrown, (pointer) => placeSent(pointer, sent, whole))
  }
}

function placeSent(pointer: string, sent: Fields, whole: Fields): string {
  const [field = '', at = ''] = stepsOf(pointer)
  const edit = sent[field]
  const list = whole[field]
  if (!isListEdit(edit) || !Array.isArray(list)) return pointer
  const added = edit.add?.indexOf(list[Number(at)]) ?? -1
  return added === -1 ? `/${field}` : `/${field}/add/${added}`
}
