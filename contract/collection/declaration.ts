// What a collection says of itself.
import type { TObject, TProperties, TSchema, TString } from 'typebox'
import { clearing } from '../merge-patch.ts'
import { event, type Event } from '../event-envelope.ts'
import type { FaultCode } from '../fault.ts'
import { closed, optional } from '../fields.ts'
import type { Segment } from '../scope.ts'

export type CollectionSegment = Extract<Segment, 'projects' | 'tasks' | 'crm-entities' | 'documents'>

export type Declaration = {
  readonly segment: CollectionSegment
  /** As in `a project`; and of several, where that is not the segment's words. */
  readonly one: string
  readonly many?: string
  readonly resource: TSchema
  /** What names one to be read, where that need not be its id. */
  readonly named?: TString
  /** The resource without what is too large to be repeated, where there is such a field: what batches answer. */
  readonly brief?: TSchema
  /** What get answers: the resource with its expansions. */
  readonly shown: TSchema
  /** Every field that a list can show, whatever the kind. */
  readonly fields: TProperties
  readonly expansions: readonly string[]
  readonly create: TProperties
  readonly patch: TProperties
  readonly filters: TProperties
  readonly sorts: readonly string[]
  readonly groups: readonly string[]
  readonly events: Readonly<Record<'created' | 'updated' | 'deleted' | 'restored', Event>>
  readonly bodyBytesMax?: number
  /** Of other collections, where a change of one changes them as well. */
  readonly alsoEmits?: readonly Event[]
  /** Refusals of its own, of whatever gives one its values. */
  readonly writeErrors?: readonly FaultCode[]
}

/** The events in the life of each of them. */
export function lifecycle<S extends CollectionSegment, R extends TSchema>(
  segment: S,
  resource: R,
  one: string,
  note = '',
) {
  const saying = (sentence: string): string => `${sentence} ${note}`.trimEnd()
  return {
    created: event(`${segment}.created` as const, resource, saying(`A ${one} was created.`)),
    updated: event(`${segment}.updated` as const, resource, saying(`A ${one} was changed.`)),
    deleted: event(`${segment}.deleted` as const, resource, saying(`A ${one} was deleted.`)),
    restored: event(`${segment}.restored` as const, resource, saying(`A deleted ${one} was restored.`)),
  }
}

/** What a change and an upsert take, alone and in a batch: null clears lists as well. */
export const patchOf = <D extends Declaration>({ patch }: D): D['patch'] => clearing(patch as D['patch'])
export const upsertOf = <D extends Declaration>({ create }: D) => clearing(withoutExternalId(create as D['create']))

/** Source and id stand in the path of an upsert. */
const withoutExternalId = <C extends TProperties>({ externalSource: _source, externalId: _id, ...rest }: C) => rest

/** The resource with what `expand` may put beside it. */
export const expandable = <P extends TProperties, X extends TProperties>(resource: TObject<P>, expansions: X) =>
  closed({ ...resource.properties, ...optional(expansions) })

export const manyOf = ({ segment, many = segment.replace('-', ' ') }: Declaration): string => many

export const scope = <D extends Declaration, A extends 'read' | 'write' | 'delete'>({ segment }: D, access: A) =>
  `${segment}:${access}` as `${D['segment']}:${A}`

export const bodyOf = ({ bodyBytesMax }: Declaration) => (bodyBytesMax === undefined ? {} : { bodyBytesMax })
