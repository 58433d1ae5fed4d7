// The Paths Object: every operation under its path. Parameters and error responses that several operations have alike are
// components, to which they refer.
import type { TSchema } from 'typebox'
import { errorCodesByStatus, errorResponse, responseNames } from './error-responses.ts'
import { operationObject } from './operation-object.ts'
import { parameterObjects } from './parameters.ts'
import type { Json, Names } from './component-refs.ts'
import { sharedComponents, type Candidate } from './shared-components.ts'
import { methodOf, type Audience, type Operation } from '../operation.ts'
import { pathFor } from '../route-paths.ts'
import { tagOf } from '../tag.ts'

type Paths = { readonly paths: Json; readonly parameters: Json; readonly responses: Json }

/** The Paths Object, and the parameters and responses that several operations have alike. */
export function pathsOf(operations: readonly Operation[], names: Names, audience: Audience): Paths {
  const errorCandidates = errorCandidatesFor(audience)
  const parameters = sharedComponents('parameters', operations.flatMap(parameterCandidates(names, audience)))
  const responses = sharedComponents('responses', operations.flatMap(errorCandidates).filter(isShared))
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const parts = {
      parameters: parameterObjects(operation, names, audience).map(parameters.refTo),
      problems: Object.fromEntries(
        errorCandidates(operation).map((part) => [part.status, responses.refTo(part.value)]),
      ),
    }
    const methods = (paths[pathFor(operation, audience)] ??= {})
    methods[methodOf(operation).toLowerCase()] = operationObject(operation, parts, {
      ...{ fullItem: fullItemOf(operation, operations), names, audience },
    })
  }
  return { paths, parameters: parameters.components, responses: responses.components }
}

const parameterCandidates =
  (names: Names, audience: Audience) =>
  (operation: Operation): Candidate[] =>
    parameterObjects(operation, names, audience).map((value) => {
      const name = String(value['name'])
      return { names: [name, `${tagOf(operation.name)}.${name}`, `${operation.name}.${name}`], value }
    })

/** Most error responses depend on the method alone. */
const errorCandidatesFor =
  (audience: Audience) =>
  (operation: Operation): (Candidate & { readonly status: number })[] =>
    Array.from(errorCodesByStatus(operation, audience), ([status, codes]) => {
      const name = responseNames[status] ?? String(status)
      const method = methodOf(operation).toLowerCase()
      const ofTag = `${tagOf(operation.name)}.${method}.${name}`
      const names = [name, `${method}.${name}`, ofTag, `${operation.name}.${name}`]
      return { names, status, value: errorResponse(status, codes, operation, audience) }
    })

/** The example of a 403 names the scope of its operation, so that no other operation has the same. */
const isShared = ({ status }: { readonly status: number }): boolean => status !== 403

/** The resource that the operation lists: what `create` of the segment of its scope answers. */
const fullItemOf = ({ scope }: Operation, operations: readonly Operation[]): TSchema | undefined =>
  operations.find(({ name }) => name === `${scope?.split(':')[0]}.create`)?.output
