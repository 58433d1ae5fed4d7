// A value that a schema accepts, with nothing in it but what is required. Enough to call any operation.
import type { TObject, TSchema } from 'typebox'
import { v7 as uuid } from 'uuid'

type Json = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly required?: readonly string[]
  readonly properties?: Record<string, TSchema>
}

const byFormat: Record<string, () => string> = {
  uuid,
  uri: () => 'https://example.com/hook',
  iri: () => 'https://example.com/hook',
  email: () => `${uuid()}@example.com`,
  date: () => '2026-01-31',
  'date-time': () => '2026-01-31T12:00:00.000Z',
  'ip-or-cidr': () => '192.0.2.1',
  'event-pattern': () => 'projects.*',
  'audited-action': () => 'api-keys.create',
}

/** Keys are unique: each sample is another one. */
const byPattern: Record<string, () => string> = {
  '^[a-z][a-z0-9_]{0,39}$': () => `key_${uuid().replaceAll('-', '')}`,
}

export function sample(schema: TSchema): unknown {
  const json = schema as Json
  if (json.const !== undefined) return json.const
  if (json.enum !== undefined) return json.enum[0]
  if (json.anyOf !== undefined) return json.anyOf[0] && sample(json.anyOf[0])
  switch (json.type) {
    case 'object':
      return sampleInput(schema as TObject)
    case 'array':
      return Array.from({ length: json.minItems ?? 0 }, () => sample(json.items ?? {}))
    case 'integer':
      return json.minimum ?? 0
    case 'boolean':
      return false
    default:
      return byFormat[json.format ?? '']?.() ?? byPattern[json.pattern ?? '']?.() ?? sampleText(json.maxLength)
  }
}

/** What makes one differ from another stands at the end. */
const sampleText = (lengthMax = Infinity): string => `Sample ${uuid()}`.slice(-lengthMax)

export function sampleInput(schema: TObject): Record<string, unknown> {
  const { required = [], properties = {} } = schema as Json
  // Of several kinds the first, a company, needs a name, which not all of them have.
  // A key is made with scopes, or with a preset in their place.
  const alternatives = 'preset' in properties ? ['preset'] : []
  const named = required.includes('kind') && 'name' in properties ? ['name'] : []
  const needed = new Set([...required, ...named, ...alternatives])
  return Object.fromEntries([...needed].map((name) => [name, sample(properties[name] ?? {})]))
}
