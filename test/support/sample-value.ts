// Minimal values that a schema accepts, with required fields only. Enough to call any operation.
import { v7 as uuid } from 'uuid'
import type { SchemaNode } from '#contract/json-schema.ts'
import { formsOfReference } from '#contract/references.ts'

const references = Object.keys(formsOfReference).flatMap((name) =>
  ['', '-or-not', '-or-none'].map((or) => `${name}-ref${or}`),
)
const ofIds = ['uuid', ...references]
const byFormat: Record<string, () => string> = {
  ...Object.fromEntries(ofIds.map((name) => [name, uuid])),
  'currency-or-none': () => 'EUR',
  'search-text': () => 'plan',
  uri: () => 'https://example.com/hook',
  iri: () => 'https://example.com/hook',
  email: () => `${uuid()}@example.com`,
  date: () => '2026-01-31',
  'date-time': () => '2026-01-31T12:00:00.000Z',
  'ip-or-cidr': () => '192.0.2.1',
  'event-type': () => 'projects.created',
  'event-pattern': () => 'projects.*',
  'audited-action': () => 'api-keys.create',
}

/** Keys are unique: each sample has another one. */
const byPattern: Record<string, () => string> = { '^[a-z][a-z0-9_]{0,39}$': () => `key_${uuid().replaceAll('-', '')}` }

export function sample(schema: SchemaNode): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return schema.anyOf[0] && sample(schema.anyOf[0])
  switch (schema.type) {
    case 'object':
      return sampleInput(schema)
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}))
    case 'integer':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return byFormat[schema.format ?? '']?.() ?? byPattern[schema.pattern ?? '']?.() ?? sampleText(schema.maxLength)
  }
}

/** The part that differs between samples is at the end. */
const sampleText = (lengthMax = Infinity): string => `Sample ${uuid()}`.slice(-lengthMax)

export function sampleInput(schema: SchemaNode): Record<string, unknown> {
  const { required = [], properties = {} } = schema
  // Of several kinds a company is made, which needs a name; a key needs scopes or a preset.
  const alternatives = 'preset' in properties ? ['preset'] : []
  const named = required.includes('kind') && 'name' in properties ? ['name'] : []
  const needed = new Set([...required, ...named, ...alternatives])
  return Object.fromEntries([...needed].map((name) => [name, sample(properties[name] ?? {})]))
}
