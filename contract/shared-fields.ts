// Schemas of fields that many resources have. Every object is closed: an unknown field is refused, never dropped.
import { Type, type Static, type TProperties, type TSchema } from 'typebox'

/** The same with archived ones. */
export const customFieldsWithArchivedPerTargetMax = 1_000

/** An object without further properties. */
export const closed = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The same properties, none of them required. */
export function optional<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties)).properties
}

/** A UUID of version 7. What it is the id of is said by the name of its field. */
export const Id = Type.String({ format: 'uuid' })
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds.' })
export const DateOnly = Type.String({ format: 'date', description: 'YYYY-MM-DD.' })
export const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Increases by one with every change.',
})
/** `line`: one line of text with at least one visible character. */
export const Name = Type.String({ minLength: 1, maxLength: 255, format: 'line' })
/** Two characters at least, or one of a script that is written without blanks. */
export const searchText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, format: 'search-text', description })
export const SearchText = searchText(
  'Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character.',
)
/**
 * Of people, keys, webhooks and workspaces: what it proves in a log or on an invitation depends on how it looks. A line
 * without invisible characters, and without letters that pass for those of another script.
 */
export const identityName = (maxLength: number) => Type.String({ minLength: 1, maxLength, format: 'identity-name' })
export const IdentityName = identityName(200)
export const Description = Type.String({ maxLength: 50_000, description: 'Markdown.' })
export const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 50, format: 'line' }), {
  maxItems: 50,
  uniqueItems: true,
})

export const Priority = Type.Enum(['none', 'low', 'medium', 'high', 'urgent'])

export const Currency = Type.String({ pattern: '^[A-Z]{3}$', format: 'currency', description: 'ISO 4217.' })

/** The system that an object came from, and its id there: together unique among the objects of a kind. */
export const externalSourceLengthMax = 40
export const externalIdLengthMax = 200
export const ExternalSource = Type.String({ minLength: 1, maxLength: externalSourceLengthMax })
export const ExternalId = Type.String({ minLength: 1, maxLength: externalIdLengthMax })
export const externalIdsMax = 10
export const ExternalIds = Type.Array(closed({ source: ExternalSource, id: ExternalId }), {
  maxItems: externalIdsMax,
  uniqueItems: true,
  description:
    'Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first.',
})
export type ExternalIds = Static<typeof ExternalIds>
export const externalIdFields = {
  externalSource: nullable(ExternalSource),
  externalId: nullable(ExternalId),
  externalIds: ExternalIds,
}

/** Values by the keys of the workspace's custom fields. In a patch null clears a value. */
export const CustomFields = Type.Record(Type.String(), Type.Unknown(), {
  propertyNames: { type: 'string', maxLength: 40 },
  // Values stay when their field is archived.
  maxProperties: customFieldsWithArchivedPerTargetMax,
})

export const Actor = closed({
  type: Type.Enum(['user', 'api_key', 'system']),
  id: Type.String({ maxLength: 80 }),
  name: Type.String({ maxLength: 200 }),
})
export type Actor = Static<typeof Actor>

/** The fields of every stored resource. */
export const resourceFields = <O extends string>(object: O) => ({
  id: Id,
  object: Type.Literal(object),
  workspaceId: Id,
  version: Version,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Actor,
  updatedBy: Actor,
  deletedAt: nullable(Timestamp),
})

/** A deleted object in a list with `includeDeleted`. */
export const tombstone = <O extends string>(object: O) =>
  closed({ id: Id, object: Type.Literal(object), version: Version, deletedAt: Timestamp })

/** The version that the caller last saw: header If-Match over HTTP, argument `expectedVersion` in a tool call. */
export const ExpectedVersion = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Change only if the object still has this version.',
})
