// What only the database can tell about a new or changed object: whether what it names exists, whether its external id
// is free, which custom fields are defined, and what the collection itself asks for (`resolve` of its definition).
import { resolveCustomFields, type Values } from '../custom-fields/values.ts'
import type { Call } from '../execution/handler.ts'
import type { Collection } from './define.ts'
import { assertExternalIdFree } from './external-id.ts'
import { assertReferences } from './references.ts'
import type { Fields, Resource } from './resource.ts'

/** Returns the object as it is to be written. `before` is null for a new one; `given` is what the caller sent. */
export async function resolveDraft<R extends Resource>(
  collection: Collection<R>,
  draft: R,
  before: R | null,
  given: Fields,
  call: Call,
): Promise<R> {
  await assertReferences(collection, draft, before, call)
  await assertExternalIdFree(collection, draft, before, call)
  const next = await withCustomFields(collection, draft, before, given, call)
  return collection.resolve === undefined ? next : collection.resolve(next, before, call, given)
}

async function withCustomFields<R extends Resource>(
  { customFieldTargets }: Collection<R>,
  draft: R,
  before: R | null,
  given: Fields,
  call: Call,
): Promise<R> {
  const [target] = customFieldTargets?.(draft) ?? []
  if (target === undefined) return draft
  const values = before === null ? null : valuesOf(before)
  const patch = given['customFields'] as Values | null | undefined
  const customFields = await resolveCustomFields(
    { target, before: values, patch: patch === null ? clearing(values) : patch },
    call,
  )
  return { ...draft, customFields }
}

/** The patch that clears every value. */
const clearing = (values: Values | null): Values =>
  Object.fromEntries(Object.keys(values ?? {}).map((key) => [key, null]))

/** Every object that custom fields are defined for has them. */
const valuesOf = (object: Fields): Values => object['customFields'] as Values
