// The fields by which a webhook may be filtered: those that some kind of event can tell as changed. Pure.
import { eventCatalogue } from '#contract/api.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'
import { invalidValue } from '../faults/field-refusals.ts'
import { didYouMean } from '../text/suggestion.ts'
import { bookkeeping } from '../object-versions/changed-fields.ts'

type Shape = { readonly properties?: Readonly<Record<string, unknown>>; readonly anyOf?: readonly Shape[] }

const fieldsOf = ({ properties = {}, anyOf = [] }: Shape): string[] => [
  ...Object.keys(properties),
  ...anyOf.flatMap(fieldsOf),
]

const fields = [...new Set(eventCatalogue.flatMap(({ data }) => fieldsOf(data)))].filter(
  (field) => !bookkeeping.has(field),
)

/** Throws `validation_failed` for a field that no change ever names: the webhook would get nothing, and nobody would see why. */
export function assertChangeable(filter: WebhookFilter | null | undefined): void {
  for (const [at, field] of (filter?.changedFields ?? []).entries())
    if (!fields.includes(field))
      throw invalidValue(
        `/filter/changedFields/${at}`,
        'not_in_list',
        `No event has a field \`${field}\` that changes.${didYouMean(field, fields)}`,
      )
}
