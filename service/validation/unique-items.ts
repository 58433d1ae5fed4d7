// `uniqueItems` in one pass over the items. The validator's own compares every pair of items whose type the schema
// leaves open, and lists of enumerated values are of that kind.
import type { SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { canonicalJson } from '../text/canonical-json.ts'

export function withUniqueItems(ajv: Ajv2020): Ajv2020 {
  const validate: SchemaValidateFunction = (isAsked: boolean, items: readonly unknown[]) => {
    if (!isAsked || new Set(items.map(canonicalJson)).size === items.length) return true
    validate.errors = [{ keyword: 'uniqueItems', params: {} }]
    return false
  }
  return ajv
    .removeKeyword('uniqueItems')
    .addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate })
}
