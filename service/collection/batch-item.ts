// An item of a batch as the input of the operation that it names, and that operation's refusal as the item's. Pure.
import { Fault, type FieldError } from '#contract/fault.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { preconditionFields } from '../execution/preconditions.ts'
import { stepsOf } from '../text/json-pointer.ts'
import { refusedFields, unknownField } from '../validation/unknown-field.ts'
import type { CollectionHandler } from './definition.ts'
import type { Fields } from './resource.ts'

export type Item = {
  readonly action: 'create' | 'update' | 'upsert' | 'delete' | 'restore'
  readonly id?: string
  readonly externalSource?: string
  readonly externalId?: string
  readonly expectedVersion?: number
  readonly data?: Fields
}

/** What an item's action stands for. */
export type ItemOperation = { readonly operation: Operation; readonly handler: CollectionHandler }

/** The item as the operation takes it. */
export function inputOf({ action, data = {}, ...beside }: Item): Fields {
  if (action !== 'upsert') return { ...data, ...beside }
  const { externalSource, ...rest } = beside
  return { ...data, ...rest, ...(externalSource !== undefined && { source: externalSource }) }
}

/** Refuses fields in `data` that belong beside it: of two values, one would be dropped. */
export function assertNotInData(operation: Operation, { data = {}, ...beside }: Item): void {
  const elsewhere = new Set([...parameterNames(pathOf(operation)), ...preconditionFields, ...Object.keys(beside)])
  const misplaced = Object.keys(data).filter((name) => elsewhere.has(name))
  if (misplaced.length > 0) throw refusedFields(misplaced.map((name) => unknownField('/data', name, [])))
}

/** The same fault, with pointers that lead through the body of the batch to the item. */
export function faultOfItem(
  { code, message, members, cause }: Fault,
  { operation }: ItemOperation,
  item: Item,
  index: number,
): Fault {
  const errors = members.errors?.map(({ parameter = '', pointer = `/${parameter}`, ...error }): FieldError => ({
    pointer: `/items/${index}${pointerInItem(pointer, operation, item)}`,
    ...error,
  }))
  // An item has no parameters: all its values are in the body.
  const codeOfBody = code === 'invalid_parameter' ? 'validation_failed' : code
  return new Fault(codeOfBody, message, { ...members, ...(errors && { errors }) }, cause)
}

/** What a single call has in its path, an item has beside its data. */
function pointerInItem(pointer: string, operation: Operation, item: Item): string {
  const [field = ''] = stepsOf(pointer)
  if (field === 'source') return '/externalSource'
  const isBeside = field in item || parameterNames(pathOf(operation)).includes(field)
  return isBeside ? pointer : `/data${pointer}`
}
