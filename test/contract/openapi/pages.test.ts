// The examples on the pages of errors and in the documents, and all that is recorded, are true as well.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventCatalogue, operations, transfers, schemas } from '#contract/api.ts'
import { faultCodes, pageOfFault, statusOf, titleOf, type FaultCode } from '#contract/faults/fault.ts'
import type { Problem } from '#contract/faults/problem-details.ts'
import { exampleProblem } from '#contract/faults/help.ts'
import { errorCodesByStatus } from '#contract/openapi/error-responses.ts'
import type { RecordedExamples } from '#contract/openapi/recorded-examples.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { methodOf, type Audience, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { bodySchema, takesBody } from '#contract/openapi/request-fields.ts'
import { exampleId } from '#contract/example-values.ts'

const root = join(import.meta.dirname, '../../..')
const textOf = (document: string): string => readFileSync(join(root, document), 'utf8')
const recorded = JSON.parse(textOf('contract/openapi/recorded-examples.json')) as RecordedExamples

type Addressed = { readonly operation: Operation; readonly audience: Audience }
type Said = { readonly code: FaultCode; readonly detail: string }
const addressed: Addressed[] = [...operations, ...transfers.map(({ asked }) => asked)].flatMap((operation) =>
  operation.audiences.map((audience) => ({ operation, audience })),
)

/** The operations at a path whose parameters have values. A name, such as `count`, is not the value of one. */
function operationsAt(path: string): Addressed[] {
  const exact = addressed.filter(({ operation, audience }) => pathFor(operation, audience) === path)
  if (exact.length > 0) return exact
  return addressed.filter(({ operation, audience }) =>
    new RegExp(`^${pathFor(operation, audience).replaceAll(/\{\w+\}/g, '[^/{}]+')}$`).test(path),
  )
}

const codesOf = ({ operation, audience }: Addressed): readonly FaultCode[] =>
  [...errorCodesByStatus(operation, audience).values()].flat()

/** Refused before there is an operation, by MCP, or within a batch; whoever has left has no answer. */
const ofNoOperation = new Set<FaultCode>([
  ...(['invalid_http', 'expectation_failed', 'headers_too_large', 'route_not_found', 'method_not_allowed'] as const),
  ...(['host_not_allowed', 'tool_disabled', 'origin_not_allowed', 'depends_on_failed', 'request_cancelled'] as const),
])

type Shown = {
  readonly instance?: string
  readonly errors?: readonly { readonly pointer?: string; readonly allowed?: readonly unknown[] }[]
}

test.each(faultCodes)(
  'the page of %s shows a call that can be refused with it, and lists what is taken there',
  (code) => {
    const { instance = '', errors = [] } = exampleProblem(code) as Shown
    const at = operationsAt(instance)

    const isRefused = at.some((each) => codesOf(each).includes(code))
    expect([instance, isRefused]).toEqual([instance, !ofNoOperation.has(code)])
    for (const { pointer = '', allowed } of errors) {
      const nodes: (SchemaNode | undefined)[] = at.map(({ operation }) => operation.input.properties[pointer.slice(1)])
      if (allowed !== undefined) expect(nodes.map((node) => node?.enum)).toContainEqual(allowed)
    }
  },
)

test('a page says in its example what the product has said', () => {
  const refusals = Object.values(recorded.refusals).flatMap((each) => Object.values(each)) as Said[]
  const said = Map.groupBy(refusals, ({ code }) => code)
  said.delete('precondition_failed')
  const withoutNumbers = ({ detail }: { readonly detail?: unknown }) => String(detail).replaceAll(/\d+/g, '0')

  for (const [code, all] of said) expect(all.map(withoutNumbers)).toContain(withoutNumbers(exampleProblem(code)))
})

/** Every schema of an object that says what it is, those of one operation or kind of event alone among them. */
const told = [...operations.map(({ output }) => output), ...eventCatalogue.map(({ data }) => data)]
const kinds = [...Object.values(schemas), ...told]
  .flatMap(objectsIn)
  .filter((schema) => constantOf(schema) !== undefined)

const checks = Map.groupBy(
  kinds.map((schema) => ({ object: constantOf(schema), check: checker(withoutRequired(schema) as never) })),
  ({ object }) => object,
)

/** What of the objects in a value no schema of their kind allows. A part of an object may be shown. */
const misfits = (value: unknown): unknown[] =>
  objectsIn(value).flatMap((each) => {
    const errors = (checks.get(each['object']) ?? []).map(({ check }) => check(each))
    return errors.length === 0 || errors.some((some) => some.length === 0) ? [] : [{ each, errors: errors[0] }]
  })

test('what is recorded has fields and values of its kind, in the data of events as well', () => {
  expect(misfits([recorded.answers, recorded.events])).toEqual([])
})

const documents = [...globSync(['docs/**/*.md', '*.md'], { cwd: root }), 'clients/starter/README.md']

/** What is left out (`…`) is left out here as well. */
function jsonIn(text: string): { readonly block: string; readonly value: unknown }[] {
  return Array.from(text.matchAll(/^```json\n([^]*?)^```/gm), ([, block = '']) => {
    const shown = block.replaceAll(/,\s*…/g, '').replaceAll(/…,?\s*(?=[\]}"])/g, '')
    // A part of an object is shown by its name.
    const whole = shown.startsWith('"') ? `{${shown}}` : shown
    try {
      return { block, value: JSON.parse(whole) as unknown }
    } catch {
      return { block, value: null }
    }
  })
}

function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Readonly<Record<string, unknown>>, ...Object.values(value).flatMap(objectsIn)]
}

describe.each(documents)('%s', (document) => {
  const shown = jsonIn(textOf(document))

  test('shows JSON that can be read, of objects with fields and values that they can have', () => {
    expect(shown.filter(({ value }) => value === null)).toEqual([])
    expect(shown.flatMap(({ value }) => misfits(value))).toEqual([])
  })

  test('shows problems that operations at their paths can answer', () => {
    for (const each of shown.flatMap(({ value }) => objectsIn(value))) {
      const { code, type, title, status, instance = '' } = each as unknown as Partial<Problem>
      if (code === undefined || type === undefined) continue
      expect({ type, title, status }).toEqual({ type: pageOfFault(code), title: titleOf(code), status: statusOf(code) })
      const isRefused = operationsAt(instance).some((at) => codesOf(at).includes(code))
      expect([instance, isRefused]).toEqual([instance, true])
    }
  })

  test('shows calls of operations, with bodies that they take', () => {
    for (const call of callsIn(textOf(document))) {
      const at = operationsAt(call.path).filter(({ operation }) => methodOf(operation) === call.method)
      expect(at, `${call.method} ${call.path}`).toHaveLength(1)
      const { operation } = at[0]!
      if (call.body !== null && takesBody(operation)) expect(checker(bodySchema(operation))(call.body)).toEqual([])
    }
  })
})

function constantOf(schema: unknown): unknown {
  return (schema as { properties?: { object?: { const?: unknown } } }).properties?.object?.const
}

/** The same schema, of which a part may be shown. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([name, value]) => !(name === 'required' && Array.isArray(value)))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutRequired(value)]))
}

type Call = { readonly method: string; readonly path: string; readonly body: unknown }

/** Calls of curl that succeed: what comes next is no problem. Those of other addresses (`/docs`, MCP) are left out. */
function callsIn(text: string): Call[] {
  const blocks = text.matchAll(/^```(?:sh|bash)\n([^]*?)^```\n(\s*```json\n\{\s*"type": "\/docs\/errors)?/gm)
  const commands = Array.from(blocks, ([, block = '', refused]) => (refused === undefined ? block : ''))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.includes('curl '))
  return commands.flatMap((command) => {
    const [, start, rest = ''] = /(\$API|\$BASE_URL|http:\/\/127\.0\.0\.1:8080)(\/[^\s"'?]*)?/.exec(command) ?? []
    const path = (start === '$API' ? '/api/v1' : '') + rest
    if (!/^\/(?:api\/v1|settings\/api)\//.test(path) || /\$|\.zip$|openapi/.test(path)) return []
    const body = /(?:-d|--data(?:-raw)?) '([^']*)'/.exec(command)?.[1]
    const method = /-X ([A-Z]+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST')
    return [{ method, path, body: body === undefined ? null : JSON.parse(body.replaceAll('<id>', exampleId('id'))) }]
  })
}
