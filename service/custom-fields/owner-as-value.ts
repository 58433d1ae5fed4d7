// `me` as the value of a custom field whose values are members, in an object and in a filter.
import type { Call } from '../execution/call.ts'
import { noOwner, ownerOfKey } from '../members/owner-of-key.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { withoutNegation, isNegated } from '../validation/query-parameters.ts'
import { filterRefused } from './filter-values.ts'
import type { Definition, Values } from './patch-values.ts'

/** The patch with the owner's id in the place of `me`. Throws `validation_failed` when the key has no owner. */
export async function withOwner(
  definitions: readonly Pick<Definition, 'key' | 'type'>[],
  patch: Values,
  call: Call,
): Promise<Values> {
  const [first, ...others] = definitions.filter(({ key, type }) => type === 'user' && isMe(patch[key]))
  if (first === undefined) return patch
  const ownerId = await ownerOfKey(call)
  if (ownerId === null) throw invalidField(`customFields/${first.key}`, 'wrong_format', noOwner)
  return { ...patch, ...Object.fromEntries([first, ...others].map(({ key }) => [key, ownerId])) }
}

/** The same for the values of a filter, which may have `!` before them. Throws `invalid_parameter`. */
export async function valuesWithOwner(
  { key, type }: Pick<Definition, 'key' | 'type'>,
  values: readonly string[],
  call: Call,
): Promise<readonly string[]> {
  if (type !== 'user' || !values.some((each) => isMe(withoutNegation(each)))) return values
  const ownerId = await ownerOfKey(call)
  if (ownerId === null) throw filterRefused(key, noOwner)
  return values.map((each) => (isMe(withoutNegation(each)) ? `${isNegated(each) ? '!' : ''}${ownerId}` : each))
}

const isMe = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'me'
