// The keys and the filter of a webhook, in words. Pure.
import type { ApiKey } from '#contract/api-keys.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { conditionsOf, partWords } from './conditions.ts'

type Choice = { readonly id: string; readonly label: string }

/** Returns usable keys by name, and all chosen keys in any status. */
export function keyChoices(
  keys: readonly Pick<ApiKey, 'id' | 'name' | 'status'>[],
  chosen: readonly string[],
): Choice[] {
  const listed = keys
    .filter(({ id, status }) => chosen.includes(id) || (status !== 'revoked' && status !== 'expired'))
    .map(({ id, name, status }) => ({ id, label: status === 'revoked' ? `${name} (revoked)` : name }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  const gone = chosen.filter((id) => !keys.some((key) => key.id === id))
  return [...listed, ...gone.map((id) => ({ id, label: id }))]
}

/** One line for each part of a filter; none where everything passes. */
export const filterLines = (filter: Webhook['filter']): string[] => [
  ...(filter?.changedFields ? [`Changed fields: ${filter.changedFields.join(', ')}`] : []),
  ...(filter?.projectIds ? [`Projects: ${filter.projectIds.join(', ')}`] : []),
  ...(filter?.kinds ? [`CRM entity kinds: ${filter.kinds.join(', ')}`] : []),
  ...conditionsOf(filter?.values).map(({ field, part, text }) => `${field} ${partWords[part] ?? part} ${text}`),
]
