// Rules that several collections share. Pure: they throw a Fault.
import { Fault } from '#contract/faults/fault.ts'
import { externalIdsMax, type ExternalIds } from '#contract/shared-fields.ts'
import { refuseField } from '../faults/shared-faults.ts'
import type { Fields, Resource } from './definition.ts'

/** What a purge leaves in the fields that most collections have. */
export const erasedFields = {
  description: null,
  labels: [],
  customFields: {},
  externalSource: null,
  externalId: null,
  externalIds: [],
}

type Dated = { readonly startDate: string | null; readonly dueDate: string | null }

export function assertDateOrder({ startDate, dueDate }: Dated): void {
  if (startDate !== null && dueDate !== null && dueDate < startDate) {
    refuseField('dueDate', 'too_small', 'Is before the start date.')
  }
}

type External = { readonly externalSource: string | null; readonly externalId: string | null }

export function assertExternalIdPair({ externalSource, externalId }: External): void {
  if ((externalSource === null) === (externalId === null)) return
  refuseField(externalSource === null ? 'externalSource' : 'externalId', 'required', 'Source and id go together.')
}

type OwnId = ExternalIds[number]

export const isSameId = (one: OwnId, other: OwnId): boolean => one.source === other.source && one.id === other.id

/**
 * The object with the list of its ids in other systems, and the first of them in its own fields, whichever of both were
 * given: those fields set the first one, and a list replaces all.
 */
export function withExternalIds<R extends Resource>(draft: R, before: R | null, given: Fields): R {
  const known = before?.externalIds ?? []
  const names = ['externalSource', 'externalId'].filter((name) => name in given)
  if ('externalIds' in given) {
    assertFirst(draft.externalIds[0], names, given)
    return withFirstOf(draft, draft.externalIds)
  }
  if (names.length === 0) return withFirstOf(draft, known)
  const { externalSource: source, externalId: id } = draft
  const first = source === null || id === null ? [] : [{ source, id }]
  const others = known.slice(1).filter((other) => !first.some((each) => isSameId(each, other)))
  return withFirstOf(draft, [...first, ...others])
}

function assertFirst(first: OwnId | undefined, names: readonly string[], given: Fields): void {
  const expected: Fields = { externalSource: first?.source ?? null, externalId: first?.id ?? null }
  if (names.every((name) => given[name] === expected[name])) return
  refuseField(
    'externalIds',
    'wrong_format',
    'Its first id is not `externalSource` and `externalId`: send only one of both.',
  )
}

/** Of the same system, the id takes the place of those that the object had there. */
export const withIdIn = <R extends Resource>(object: R, given: OwnId): R => {
  const at = object.externalIds.findIndex(({ source }) => source === given.source)
  const others = object.externalIds.filter(({ source }) => source !== given.source)
  const place = at === -1 ? others.length : at
  return withFirstOf(object, [...others.slice(0, place), given, ...others.slice(place)])
}

export const withoutIdsIn = <R extends Resource>(object: R, source: string): R =>
  withFirstOf(
    object,
    object.externalIds.filter((each) => each.source !== source),
  )

function withFirstOf<R extends Resource>(object: R, externalIds: ExternalIds): R {
  assertFewIds(externalIds)
  const [first] = externalIds
  return { ...object, externalIds, externalSource: first?.source ?? null, externalId: first?.id ?? null }
}

function assertFewIds({ length }: ExternalIds): void {
  if (length <= externalIdsMax) return
  throw new Fault(
    'limit_reached',
    `An object can have at most ${externalIdsMax} ids in other systems: remove one first.`,
    {
      field: 'externalIds',
      limit: externalIdsMax,
    },
  )
}

/** Those of the object that it did not have before. */
export const addedIds = ({ externalIds }: Resource, before: Resource | null): ExternalIds =>
  externalIds.filter((each) => !(before?.externalIds ?? []).some((known) => isSameId(known, each)))

export function assertTransition<S extends string>(noun: string, from: S, to: S, allowed: readonly S[]): void {
  if (from === to || allowed.includes(to)) return
  throw new Fault('invalid_transition', `A ${noun} that is ${from} cannot become ${to}.`, { from, to, allowed })
}
