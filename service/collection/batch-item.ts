// An item of a batch: validated, turned into the input of its operation, and its errors located. The path parameters of
// a single call are members of the item, beside `data`. Pure.
import { batchOwnIdLengthMax } from '#contract/collection/batch.ts'
import { Fault } from '#contract/faults/fault.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { withPlaces } from '../faults/shared-faults.ts'
import { stepsOf } from '../text/json.ts'
import { UnreadableItem } from '../text/parse-json.ts'
import { refusedFields, unknownField } from '../validation/unknown-field.ts'
import { itemErrors } from '../validation/validate-operation.ts'
import type { Fields } from './definition.ts'
import type { ExternalKey } from './rows.ts'

export type Item = {
  readonly action: 'create' | 'update' | 'upsert' | 'delete' | 'restore'
  readonly id?: string
  readonly externalSource?: string
  readonly externalId?: string
  readonly expectedVersion?: number
  readonly data?: Fields
}

/** An entry of the list, or what can be told of one that is refused as it is: its members may be anything. */
type Entry =
  | { readonly item: Item; readonly fault: null }
  | { readonly item: Readonly<Record<string, unknown>>; readonly fault: Fault }

/** The places that its fault names begin at the item, as those of all faults of an item. */
export function entryOf(batch: Operation, sent: unknown): Entry {
  if (sent instanceof UnreadableItem) return { item: { ...sent.texts, data: sent.dataTexts }, fault: sent.fault }
  const errors = itemErrors(batch, sent)
  // It fits the item's schema.
  if (errors.length === 0) return { item: sent as Item, fault: null }
  return { item: fieldsOf(sent), fault: refusedFields(errors) }
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

type OwnId = { readonly externalSource?: string; readonly externalId?: string }

/** The external id that the item gives for its object, beside `data` or in it. */
export function ownIdIn(item: Readonly<Record<string, unknown>>): OwnId {
  const { externalSource, externalId } = { ...fieldsOf(item['data']), ...item }
  return {
    ...(isUpTo(batchOwnIdLengthMax.externalSource, externalSource) && { externalSource }),
    ...(isUpTo(batchOwnIdLengthMax.externalId, externalId) && { externalId }),
  }
}

const isUpTo = (length: number, value: unknown): value is string => typeof value === 'string' && value.length <= length

/** The external id of an upsert, before it is validated; none where no object can have it. */
export function externalKeyIn(sent: unknown): ExternalKey[] {
  const { action, externalSource: source, externalId } = fieldsOf(sent)
  if (action !== 'upsert' || !isUpTo(batchOwnIdLengthMax.externalSource, source)) return []
  if (!isUpTo(batchOwnIdLengthMax.externalId, externalId)) return []
  return isStorable(source + externalId) ? [{ source, externalId }] : []
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The item as the operation takes it. */
export function inputOf({ action, data = {}, ...beside }: Item): Fields {
  if (action !== 'upsert') return { ...data, ...beside }
  const { externalSource, ...rest } = beside
  return { ...data, ...rest, ...(externalSource !== undefined && { source: externalSource }) }
}

/** Refuses fields in `data` that belong beside it: of two values, one would be dropped. */
export function assertNotInData(besideData: ReadonlySet<string>, { data = {}, ...beside }: Item): void {
  const misplaced = Object.keys(data).filter((name) => besideData.has(name) || Object.hasOwn(beside, name))
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

/** Path parameters of the single call are members of the item; all other fields are in `data`. */
function pointerInItem(pointer: string, operation: Operation, item: Item): string {
  const [field = ''] = stepsOf(pointer)
  if (field === 'source') return '/externalSource'
  const isBeside = Object.hasOwn(item, field) || parameterNames(pathOf(operation)).includes(field)
  return isBeside ? pointer : `/data${pointer}`
}
