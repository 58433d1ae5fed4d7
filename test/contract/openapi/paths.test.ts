// Paths that fit one address (docs/decisions/0012-paths-that-look-alike.md).
import { expect, test } from 'vitest'
import { operations, streams, transfers } from '#contract/api.ts'
import { pathFor } from '#contract/route-paths.ts'
import type { Audience, Operation } from '#contract/operation.ts'
import { checker } from '../../../service/validation/schema-validator.ts'

type Place = { readonly operation: Operation; readonly path: string; readonly segments: readonly string[] }

const isParameter = (segment: string): boolean => segment.startsWith('{')

const described = [...operations, ...[...streams, ...transfers].map(({ asked }) => asked)]
const placesOf = (audience: Audience): Place[] =>
  described
    .filter(({ audiences }) => audiences.includes(audience))
    .map((operation) => ({ operation, path: pathFor(operation, audience) }))
    .map((place) => ({ ...place, segments: place.path.split('/') }))

/** Is there an address that both are for? */
const meet = (one: Place, other: Place): boolean =>
  one.segments.length === other.segments.length &&
  one.segments.every((segment, at) => {
    const facing = other.segments[at] ?? ''
    return segment === facing || isParameter(segment) || isParameter(facing)
  })

/** Where `one` has a parameter and `other` a fixed segment: the parameter's name, and the segment. */
const facing = (one: Place, other: Place): { name: string; segment: string }[] =>
  one.segments.flatMap((segment, at) => {
    const fixed = other.segments[at] ?? ''
    return isParameter(segment) && !isParameter(fixed) ? [{ name: segment.slice(1, -1), segment: fixed }] : []
  })

/** May each fixed segment of `other` be the value of the parameter of `one` in its place? */
const takes = (one: Place, other: Place): boolean =>
  facing(one, other).every(({ name, segment }) => {
    const schema = one.operation.input.properties[name]
    return schema !== undefined && checker(schema)(segment).length === 0
  })

test('the pairs of paths that look alike are those of the decision, and no address has two meanings', () => {
  const pairs = (['api', 'settings'] as const).flatMap((audience) =>
    placesOf(audience).flatMap((one, _at, places) =>
      places
        .filter((other) => one.path < other.path && meet(one, other))
        .filter((other) => facing(one, other).length > 0 && facing(other, one).length > 0)
        .map((other) => ({ one, other, paths: `${one.path} ${other.path}` })),
    ),
  )

  const external = ['crm-entities', 'projects', 'tasks'].map(
    (noun) => `/api/v1/${noun}/by-external-id/{source}/{externalId} /api/v1/${noun}/{id}/comments/{commentId}`,
  )
  const own = ['comments', 'crm-entities', 'documents', 'projects', 'tasks'].map(
    (noun) => `/api/v1/${noun}/by-external-id/{source}/{externalId} /api/v1/${noun}/{id}/external-ids/{source}`,
  )
  const replays = ['/api/v1', '/settings/api/workspaces/{workspaceId}'].flatMap((at) =>
    ['attempts', 'replay'].map((verb) => `${at}/deliveries/replay-jobs/{id} ${at}/deliveries/{id}/${verb}`),
  )
  expect(new Set(pairs.map(({ paths }) => paths))).toEqual(new Set([...external, ...own, ...replays]))
  const open = pairs.filter(({ one, other }) => takes(one, other) && takes(other, one))
  expect(open.map(({ paths }) => paths)).toEqual([])
})
