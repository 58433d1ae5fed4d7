// The declaration of one collection: its differences from the others, and what its operations derive from them.
//
// A property of a generic value has the type of its constraint: `declared.create` is TProperties, not D['create']. The
// casts `as D['…']` in this folder give such a property its own type back, and nothing else.
import { Type, type TObject, type TProperties, type TSchema, type TString } from 'typebox'
import { clearable, editable, type SchemaNode } from '../json-schema.ts'
import type { Event } from '../event.ts'
import type { FaultCode } from '../faults/fault.ts'
import { ExternalIds, Id, closed, externalIdsMax, nullable, optional } from '../shared-fields.ts'
import { AnyImport } from '../imports.ts'
import type { CollectedSegment, CollectionSegment, Scope } from '../scopes.ts'

type DeclarationOf<S extends CollectedSegment> = {
  readonly segment: S
  /** As in `Create a project`. */
  readonly singular: string
  /** As in `List projects`. Default: the segment with a space for its hyphen. */
  readonly plural?: string
  readonly resource: TSchema
  /** The schema of the values that stand for an object wherever its id is taken. Default: its id. */
  readonly reference?: TString
  /** The answer for one object: the resource with the optional fields that `expand` adds. */
  readonly expanded: TSchema
  /** The same without its largest field, for the results of a batch. Default: `expanded`. */
  readonly expandedBrief?: TSchema
  /** Every field that an item of a list can have. */
  readonly fields: TProperties
  /** The values of the parameter `expand`. */
  readonly expansions: readonly string[]
  readonly create: TProperties
  readonly patch: TProperties
  /** The fields of `imported`. Default: those of every collection. */
  readonly imported?: typeof AnyImport
  readonly filters: TProperties
  /** Fields to sort by. */
  readonly sorts: readonly string[]
  /** Fields to count by; `…:month` is the month of a time or of a day. */
  readonly groups: readonly string[]
  /** Fields to add up. */
  readonly sums?: readonly string[]
  /** Several, where they are about the objects that these belong to. */
  readonly events: {
    readonly [A in CollectionChange]: S extends CollectionSegment ? Event<`${S}.${A}`> : readonly Event[]
  }
  /** No index has their words, so that their lists take no `q`. */
  readonly isUnsearched?: true
  /** Largest body of a create, an update, an upsert or a batch. */
  readonly bodyBytesMax?: number
  /** Events of other collections whose objects change along with an update of this one. */
  readonly alsoEmits?: readonly Event[]
  /** Fields by which an upsert finds an object if none has the own id. Default: none. */
  readonly matches?: readonly string[]
  /** Faults of create, update and upsert beside those of every collection. */
  readonly writeErrors?: readonly FaultCode[]
}

export type CollectionChange = 'created' | 'updated' | 'deleted' | 'restored'

/** Written as a union, so that events of another segment do not compile. */
export type Declaration = { [S in CollectedSegment]: DeclarationOf<S> }[CollectedSegment]

/** The fields of a create, also as an item of a batch: null is the empty list here as in an update. */
export const createOf = <D extends Declaration>({ create, imported = AnyImport }: D) => ({
  ...clearable(create as D['create']),
  imported: Type.Optional(imported),
})

/** The fields of an update, also as an item of a batch: null clears a list too, and a part of it can be changed. */
export const patchOf = <D extends Declaration>({ patch, imported = AnyImport }: D) => ({
  ...editable(clearable(patch as D['patch'])),
  imported: Type.Optional(imported),
})

/** The fields of an upsert, also as an item of a batch. The own id that it is found by is in the path. */
export const upsertOf = <D extends Declaration>(declared: D) => ({
  ...withoutExternalId(editable(createOf(declared))),
  ...clearable({ externalIds: Type.Optional(FurtherIds) }),
})

const FurtherIds = Type.Array(ExternalIds.items, {
  maxItems: externalIdsMax,
  uniqueItems: true,
  description: 'Further ids of it in other systems, which are added to those that it has.',
})

const withoutExternalId = <C extends TProperties>({
  externalSource: _source,
  externalId: _id,
  externalIds: _ids,
  ...rest
}: C) => rest

const upsertOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'restored'] as const
export type UpsertOutcome = (typeof upsertOutcomes)[number]

/** The outcome of an upsert. `restored`: the object was deleted; it is back, with the given fields set. */
export const upsertResult = {
  outcome: Type.Enum([...upsertOutcomes], { description: 'What the upsert did.' }),
  matchedBy: nullable(
    Type.String({
      maxLength: 20,
      description: 'What the object was found by: `externalId`, or the value of `match`. Null if it was created.',
    }),
  ),
}

/** The schema of a resource, or of each of its kinds, with what an upsert did. */
export function withUpsertResult<R extends TSchema>(resource: R): R {
  const { anyOf, properties = {} }: SchemaNode = resource
  const schema =
    anyOf === undefined ? closed({ ...properties, ...upsertResult }) : Type.Union(anyOf.map(withUpsertResult))
  // Typed as the resource, for most code reads nothing else of the answer.
  return schema as TSchema as R
}

/** Parameters of an upsert beside the fields of the object. */
export const upsertOptions = ({ matches = [] }: Declaration) => ({
  onMatch: Type.Optional(
    Type.Enum(['update', 'fillEmpty', 'skip'], {
      default: 'update',
      description:
        'What is done if the object exists: the given fields are set, only those that are empty are set, or nothing.',
    }),
  ),
  restore: Type.Optional(
    Type.Boolean({ default: false, description: 'Restore the object if it is deleted, instead of failing.' }),
  ),
  ...(matches.length > 0 && {
    match: Type.Optional(
      Type.Enum([...matches], {
        description:
          'If no object has the own id: take the one of the same kind that has one of the given values in this field, and give it the own id as well.',
      }),
    ),
  }),
})

/** The schema of a resource together with the optional fields that `expand` adds. */
export const expandable = <P extends TProperties, X extends TProperties>(resource: TObject<P>, expansions: X) =>
  closed({ ...resource.properties, ...optional(expansions) })

export const referenceTo = ({ reference = Id }: Declaration): TString => reference

export const pluralOf = ({ segment, plural = segment.replace('-', ' ') }: Declaration): string => plural

/** Null for comments: what they are on says which scope a call needs, and the handler asks for it. */
export const scope = ({ segment }: Declaration, access: 'read' | 'write' | 'delete'): Scope | null =>
  segment === 'comments' ? null : `${segment}:${access}`

/** The errors of an operation whose scope its handler asks for. */
export const scopeErrors = ({ segment }: Declaration): readonly FaultCode[] =>
  segment === 'comments' ? ['insufficient_scope'] : []

type EventsOf<D extends Declaration, A extends CollectionChange> = D['events'][A] extends readonly (infer E)[]
  ? E
  : D['events'][A]

/** The events of these changes. */
export const emitted = <D extends Declaration, A extends CollectionChange>(declared: D, ...actions: readonly A[]) =>
  actions.flatMap<Event>((action) => declared.events[action]) as Extract<EventsOf<D, A>, Event>[]

/** `bodyBytesMax`, if the collection declares one: an operation without it has the default. */
export const bodyLimitOf = ({ bodyBytesMax }: Declaration) => (bodyBytesMax === undefined ? {} : { bodyBytesMax })
