// The part of a collection's definition for objects with custom fields: how values are checked when they are
// written, and how lists are filtered by them.
import type { Fields, CustomFieldRules } from '../collection/definition.ts'
import type { CustomFieldTarget } from '#contract/custom-fields.ts'
import { resolveCustomFields } from './values.ts'
import { customFieldConditions, customFieldGroup, type Bounds } from './filter-rows.ts'

/** `targetsOf`: what the custom fields of an object, or of the objects that a query asks for, are defined for. */
export const customFieldsFor = (
  targetsOf: (objectOrQuery: Fields) => readonly CustomFieldTarget[],
): CustomFieldRules => ({
  resolve: (object, before, patch, call) => {
    const [target] = targetsOf(object)
    if (target === undefined) throw new Error('An object with custom fields has no target of them')
    return resolveCustomFields({ target, before, patch }, call)
  },
  group: (key, alias, query, call) => customFieldGroup({ key, targets: targetsOf(query) }, alias, call),
  conditions: (table, query, filter, call) =>
    // The input was validated against the list's schema.
    customFieldConditions({ table, targets: targetsOf(query) }, filter as Readonly<Record<string, Bounds>>, call),
})
