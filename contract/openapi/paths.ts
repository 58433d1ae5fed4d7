// The Paths Object: every operation under its path. Parameters and error responses that several operations have alike are
// components, to which they refer.
import { errorCodesByStatus, errorResponse, responseNames } from './error-responses.ts'
import { operationObject } from './operation-object.ts'
import { parameterObjects } from './parameters.ts'
import type { Json, Names } from './component-refs.ts'
import { sharedComponents, type Candidate } from './shared-components.ts'
import { lastEventIdParameter, streamResponse } from './streams.ts'
import { methodOf, type Audience, type Operation } from '../operation.ts'
import { pathFor } from '../route-paths.ts'
import type { Stream } from '../stream.ts'
import { tagOf } from '../tag.ts'

type Described = { readonly operations: readonly Operation[]; readonly streams: readonly Stream[] }
type Paths = { readonly paths: Json; readonly parameters: Json; readonly responses: Json }
/** One Operation Object: what it is made of beside its parameters. */
type Entry = { readonly asked: Operation; readonly parameters: readonly Json[]; readonly answer: Json | null }

/** The Paths Object, and the parameters and responses that several operations have alike. */
export function pathsOf({ operations, streams }: Described, names: Names, audience: Audience): Paths {
  const entries = [
    ...operations.map((asked): Entry => ({
      asked,
      parameters: parameterObjects(asked, names, audience),
      answer: null,
    })),
    ...streams.map((stream) => entryOfStream(stream, names, audience)),
  ]
  const errorCandidates = errorCandidatesFor(audience)
  const parameters = sharedComponents('parameters', entries.flatMap(parameterCandidates))
  const responses = sharedComponents(
    'responses',
    entries.flatMap(({ asked }) => errorCandidates(asked)).filter(isShared),
  )
  const paths: Record<string, Record<string, Json>> = {}
  for (const { asked, answer, ...entry } of entries) {
    const parts = {
      parameters: entry.parameters.map(parameters.refTo),
      problems: Object.fromEntries(errorCandidates(asked).map((part) => [part.status, responses.refTo(part.value)])),
      answer,
    }
    const methods = (paths[pathFor(asked, audience)] ??= {})
    methods[methodOf(asked).toLowerCase()] = operationObject(asked, parts, { names, audience })
  }
  return { paths, parameters: parameters.components, responses: responses.components }
}

const entryOfStream = (stream: Stream, names: Names, audience: Audience): Entry => ({
  asked: stream.asked,
  parameters: [...parameterObjects(stream.asked, names, audience), lastEventIdParameter],
  answer: streamResponse(stream, names, audience),
})

const parameterCandidates = ({ asked, parameters }: Entry): Candidate[] =>
  parameters.map((value) => {
    const name = String(value['name'])
    return { names: [name, `${tagOf(asked.name)}.${name}`, `${asked.name}.${name}`], value }
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

/** An example is of one operation alone: `instance` is its path. */
const isShared = ({ value }: Candidate): boolean => !JSON.stringify(value).includes('"example":')
