// Paths that fit one address (docs/decisions/0012-paths-that-look-alike.md): what the description leaves open, ids
// decide.
import { expect, test } from 'vitest'
import { operations, streams } from '#contract/api.ts'
import { pathFor } from '#contract/route-paths.ts'
import type { Audience, Operation } from '#contract/operation.ts'
import { checker } from '../../../service/validation/schema-validator.ts'

type Place = { readonly operation: Operation; readonly path: string; readonly segments: readonly string[] }

const isParameter = (segment: string): boolean => segment.startsWith('{')

function placesOf(audience: Audience): Place[] {
  const described = [...operations, ...streams.map(({ asked }) => asked)]
  return described
    .filter(({ audiences }) => audiences.includes(audience))
    .map((operation) => ({ operation, path: pathFor(operation, audience) }))
    .map((place) => ({ ...place, segments: place.path.split('/') }))
}

/** Is there an address that both are for? */
const meet = (one: Place, other: Place): boolean =>
  one.segments.length === other.segments.length &&
  one.segments.every((segment, at) => {
    const facing = other.segments[at] ?? ''
    return segment === facing || isParameter(segment) || isParameter(facing)
  })

/** Where `one` has a parameter and `other` a fixed segment: the parameter's name, and the segment. */
const facing = (one: Place, other: Place): [name: string, segment: string][] =>
  one.segments.flatMap((segment, at) => {
    const fixed = other.segments[at] ?? ''
    return isParameter(segment) && !isParameter(fixed) ? [[segment.slice(1, -1), fixed] as [string, string]] : []
  })

/** Each of the two has a parameter where the other has a fixed segment. */
const ambiguous = (audience: Audience): [Place, Place][] => {
  const places = placesOf(audience)
  return places.flatMap((one) =>
    places
      .filter((other) => one.path < other.path && meet(one, other))
      .filter((other) => facing(one, other).length > 0 && facing(other, one).length > 0)
      .map((other): [Place, Place] => [one, other]),
  )
}

const takes = ({ operation }: Place, name: string, value: string): boolean => {
  const schema = operation.input.properties[name]
  return schema !== undefined && checker(schema)(value).length === 0
}

test.each(['api', 'settings'] as const)('no address of the %s has two meanings', (audience) => {
  const pairs = ambiguous(audience)

  const open = pairs.filter(
    ([one, other]) =>
      facing(one, other).every(([name, segment]) => takes(one, name, segment)) &&
      facing(other, one).every(([name, segment]) => takes(other, name, segment)),
  )
  expect(pairs.length).toBeGreaterThan(0)
  expect(open.map(([one, other]) => `${one.path} and ${other.path}`)).toEqual([])
})

test('the pairs of paths that look alike are those of the decision', () => {
  const found = (['api', 'settings'] as const).map((audience) => {
    const pairs = ambiguous(audience).map(([one, other]) => `${one.path} ${other.path}`)
    return [...new Set(pairs)].toSorted()
  })

  const external = ['crm-entities', 'projects', 'tasks'].map(
    (noun) => `/api/v1/${noun}/by-external-id/{source}/{externalId} /api/v1/${noun}/{id}/comments/{commentId}`,
  )
  const replays = (at: string) =>
    ['attempts', 'replay'].map((verb) => `${at}/deliveries/replay-jobs/{id} ${at}/deliveries/{id}/${verb}`)
  expect(found).toEqual([
    [...external, ...replays('/api/v1')].toSorted(),
    replays('/settings/api/workspaces/{workspaceId}'),
  ])
})
