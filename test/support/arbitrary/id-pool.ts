// A pool of ids of existing objects, so that drawn references sometimes name one.
import { missingId } from '../client.ts'
import fc from 'fast-check'

export type Pool = {
  /** Adds the id of every object in an answer, with its kind. */
  note(segment: string, answer: unknown): void
  drop(id: string): void
  /** Most of the ids that it draws exist; `projectId` draws projects first, `id` what the segment is about. */
  idFor(segment: string): (name: string) => fc.Arbitrary<string>
}

/** The newest are drawn: older ones may be deleted. */
const perKindMost = 20

export function pool(): Pool {
  const kinds = new Map<string, string[]>()
  const add = (kind: string, id: string): void => {
    const known = kinds.get(kind) ?? []
    if (!known.includes(id)) kinds.set(kind, [id, ...known].slice(0, perKindMost))
  }
  const pick = (segment: string, name: string, at: number): string | undefined => {
    // Addresses of resources are no ids.
    const any = [...kinds].flatMap(([kind, ids]) => (kind.endsWith('uri') ? [] : ids))
    const fitting = kinds.get(kindFor([...kinds.keys()], segment, name)) ?? any
    return fitting[at % fitting.length]
  }
  return {
    note: (segment, answer) => {
      for (const { names, id } of objectsIn(answer))
        for (const name of names.flatMap((each) => [each, singular(segment) + each])) add(name, id)
    },
    drop: (gone) => {
      for (const [kind, ids] of kinds)
        kinds.set(
          kind,
          ids.filter((id) => id !== gone),
        )
    },
    idFor: (segment) => (name) =>
      fc.oneof(
        { weight: 8, arbitrary: fc.nat().map((at) => pick(segment, name, at) ?? missingId) },
        { weight: 1, arbitrary: fc.uuid({ version: 7 }) },
      ),
  }
}

/** `parentTaskId` ends as tasks are called; people are called by what they do, so that all else is a member. */
function kindFor(kinds: readonly string[], segment: string, name: string): string {
  if (['id', 'ids', 'sourceId'].includes(name)) return singular(segment)
  const stem = name.replace(/Ids?$/, '').toLowerCase()
  // A comment on a project is not found below a task.
  const own = singular(segment) + stem
  return kinds.includes(own) ? own : (kinds.find((kind) => stem.endsWith(kind)) ?? 'member')
}

const singular = (segment: string): string => segment.replaceAll('-', '').replace(/ies$/, 'y').replace(/s$/, '')

type Found = { readonly names: readonly string[]; readonly id: string }

function objectsIn(answer: unknown): Found[] {
  if (Array.isArray(answer)) return answer.flatMap(objectsIn)
  if (typeof answer !== 'object' || answer === null) return []
  const { id, object, kind, data, uri } = answer as Record<string, unknown>
  if (typeof uri === 'string') return [{ names: ['uri'], id: uri }]
  const inside = Array.isArray(data) ? objectsIn(data) : []
  if (typeof id !== 'string' || typeof object !== 'string') return inside
  const names = [object.replaceAll('_', ''), ...(typeof kind === 'string' ? [kind] : [])]
  return [{ names, id }, ...inside]
}
