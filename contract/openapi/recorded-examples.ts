// The recorded answers of the product to the examples of the descriptions, as test/support/recorded-examples/ has
// recorded it.
import recordedExamples from './recorded-examples.json' with { type: 'json' }
import { example } from './examples.ts'
import { type Event, eventRecordOf } from '../event.ts'
import type { FaultCode } from '../faults/fault.ts'
import type { Audience, Operation } from '../operation.ts'
import { parameterNames, pathFor } from '../route-paths.ts'
import type { Stream } from '../stream.ts'
import { takesBody } from './request-fields.ts'
import { exampleInPath } from '../example-values.ts'

type ByName<T> = Readonly<Record<string, T>>
export type RecordedExamples = {
  /** By operation and status. */
  readonly answers: ByName<ByName<unknown>>
  /** Problems, by operation and status. */
  readonly refusals: ByName<ByName<object>>
  /** By type. */
  readonly events: ByName<unknown>
  /** The first messages, by the name of the stream. */
  readonly streams: ByName<string>
}
// Each operation has statuses of its own, which JSON cannot say.
export const recorded = recordedExamples as unknown as RecordedExamples

/** What the operation answers; as its schema has it where nothing is recorded yet. */
export const exampleAnswer = ({ name, output }: Operation, status: number): unknown =>
  recorded.answers[name]?.[status] ?? example(output)

/** The whole record of an event of this kind. */
export const exampleEvent = (event: Event): unknown => recorded.events[event.type] ?? example(eventRecordOf(event))

/** Empty where none is recorded yet. */
export const exampleMessages = ({ asked }: Stream): string => recorded.streams[asked.name] ?? ''

/** Undefined where no refusal of this status is shown. The path is the one of the description that shows it. */
export function recordedRefusal(operation: Operation, status: number, audience: Audience): object | undefined {
  const refusal = recorded.refusals[operation.name]?.[status]
  return refusal && { ...refusal, instance: exampleInstance(operation, audience) }
}

/** The path of the operation with the values of its examples: `instance` of a problem. */
export function exampleInstance(operation: Operation, audience: Audience): string {
  const template = pathFor(operation, audience)
  return parameterNames(template).reduce(
    (path, name) => path.replace(`{${name}}`, exampleInPath(operation.name, name)),
    template,
  )
}

type ShownRefusal = { readonly status: number; readonly code: FaultCode; readonly by: 'id' | 'field' | 'version' }

/** The refusals that differ from operation to operation: of an object that is missing, of a body, of a version. */
export function refusalsShown(operation: Operation): ShownRefusal[] {
  const { errors, input, http, creates } = operation
  const byId = /\{(?:id|externalId)\}/.test(http) && errors.includes('not_found') && creates === undefined
  const shown: readonly (ShownRefusal | false)[] = [
    byId && { status: 404, code: 'not_found', by: 'id' },
    takesBody(operation) && { status: 422, code: 'unknown_field', by: 'field' },
    'expectedVersion' in input.properties && {
      status: 412,
      by: 'version',
      code: creates === undefined ? 'version_mismatch' : 'precondition_failed',
    },
  ]
  return shown.filter((each) => each !== false)
}
