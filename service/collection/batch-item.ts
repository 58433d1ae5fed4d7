// An item of a batch as the input of the operation that it names, and that operation's refusal as the item's. Pure.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { batchOwnIdLengthMax } from '#contract/collection/batch.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { preconditionFields } from '../execution/preconditions.ts'
import { stepsOf } from '../text/json-pointer.ts'
import { UnreadableItem } from '../text/parse-json.ts'
import { refusedFields, unknownField } from '../validation/unknown-field.ts'
import { itemErrors } from '../validation/validate-operation.ts'
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

/** An entry of the list, or what can be told of one that is refused as it is: its members may be anything. */
export type Entry =
  | { readonly item: Item; readonly fault: null }
  | { readonly item: Readonly<Record<string, unknown>>; readonly fault: Fault }

/** The places that its fault names begin at the item, as those of all faults in this file. */
export function entryOf(batch: Operation, sent: unknown): Entry {
  if (sent instanceof UnreadableItem) return { item: { ...sent.texts, data: sent.dataTexts }, fault: sent.fault }
  const errors = itemErrors(batch, sent)
  // It fits the item's schema.
  if (errors.length === 0) return { item: sent as Item, fault: null }
  return { item: fieldsOf(sent), fault: refusedFields(errors) }
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

type OwnId = { readonly externalSource?: string; readonly externalId?: string }

/** What the caller calls the object, as far as the item says it: beside its data or in it. */
export function ownIdIn(item: Readonly<Record<string, unknown>>): OwnId {
  const { externalSource, externalId } = { ...fieldsOf(item['data']), ...item }
  return {
    ...(isUpTo(batchOwnIdLengthMax.externalSource, externalSource) && { externalSource }),
    ...(isUpTo(batchOwnIdLengthMax.externalId, externalId) && { externalId }),
  }
}

const isUpTo = (length: number, value: unknown): value is string => typeof value === 'string' && value.length <= length

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

/** The fault of the call as that of the item. */
export function faultOfItem(fault: Fault, operation: Operation, item: Item): Fault {
  // An item has no parameters: all its values are in the body.
  const code = fault.code === 'invalid_parameter' ? 'validation_failed' : fault.code
  return withPlaces(new Fault(code, fault.message, fault.members, fault.cause), (pointer) =>
    pointerInItem(pointer, operation, item),
  )
}

/** The fault of an item as one of the batch. */
export const faultInBatch = (fault: Fault, index: number): Fault =>
  withPlaces(fault, (pointer) => `/items/${index}${pointer}`)

function withPlaces({ code, message, members, cause }: Fault, placeOf: (pointer: string) => string): Fault {
  const errors = members.errors?.map(({ parameter = '', pointer = `/${parameter}`, ...error }): FieldError => ({
    pointer: placeOf(pointer),
    ...error,
  }))
  return new Fault(code, message, { ...members, ...(errors && { errors }) }, cause)
}

/** What a single call has in its path, an item has beside its data. */
function pointerInItem(pointer: string, operation: Operation, item: Item): string {
  const [field = ''] = stepsOf(pointer)
  if (field === 'source') return '/externalSource'
  const isBeside = Object.hasOwn(item, field) || parameterNames(pathOf(operation)).includes(field)
  return isBeside ? pointer : `/data${pointer}`
}
