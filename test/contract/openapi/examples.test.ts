// Every example of both descriptions is true: it fits its schema, formats included, is about its own path, and what the
// product answers is recorded.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { eventCatalogue, operations, schemas, streams, tags, transfers } from '#contract/api.ts'
import { statusOf, titleOf, type FaultCode } from '#contract/faults/fault.ts'
import { openApi } from '#contract/openapi/document.ts'
import type { RecordedExamples } from '#contract/openapi/recorded-examples.ts'
import { answersFile } from '#contract/file-answer.ts'
import { methodOf, type Operation, tagOf } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { formats } from '../../../service/validation/string-formats.ts'
import { everywhere, reader, type Node } from '../../support/json-document.ts'
import { commandToRecord } from '../../support/recorded-examples/stable-values.ts'

const file = join(import.meta.dirname, '../../../contract/openapi/recorded-examples.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RecordedExamples
const audiences = ['api', 'settings'] as const
const methods = ['get', 'post', 'put', 'patch', 'delete']

describe.each(audiences)('the description for %s', (audience) => {
  const contract = { operations, streams, transfers, events: eventCatalogue, schemas, tags }
  const document = JSON.parse(JSON.stringify(openApi(contract, audience))) as Node
  const { at, resolved } = reader(document)
  const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)
  ajv.addSchema(document, 'document')

  const entries = Object.entries(document['paths'] as Record<string, Node>).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => ({ path, entry: item[method] as Node })),
  )
  /** Each Media Type Object with JSON, and each parameter. */
  const withExample = Array.from(everywhere(document)).filter(
    ([way, node]) => 'example' in node && 'schema' in node && !isInExample(way) && way.at(-1) !== 'text/event-stream',
  )
  const parametersOf = (entry: Node): Node[] => ((entry['parameters'] ?? []) as unknown[]).map((each) => resolved(each))
  const compiled = new Map<string, ValidateFunction>()
  /** Many places have the same schema, which is compiled once. */
  function errorsOf(way: readonly string[], schema: unknown, value: unknown): string | null {
    const validate = compiled.get(JSON.stringify(schema)) ?? ajv.compile({ $ref: `document#${pointer(way)}` })
    compiled.set(JSON.stringify(schema), validate)
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }

  test('each example fits its schema, formats and enums included', () => {
    const wrong = withExample.flatMap(([way, { example, schema }]) => {
      const errors = errorsOf([...way, 'schema'], schema, example)
      return errors === null ? [] : [`${way.join(' ')}: ${errors}`]
    })

    expect(withExample.length).toBeGreaterThan(audience === 'api' ? 400 : 200)
    expect(wrong).toEqual([])
  })

  test('each example of a schema fits it, and is an object that was recorded', () => {
    const nodes = Array.from(everywhere(document))
    const all = nodes.filter(([way, node]) => Array.isArray(node['examples']) && !isInExample(way))
    const known = new Set(objectsIn(recorded).map((each) => JSON.stringify(each)))

    const wrong = all.flatMap(([way, node]) =>
      (node['examples'] as unknown[]).flatMap((example) => {
        const isKnown = typeof example === 'string' || known.has(JSON.stringify(example))
        const errors = isKnown ? errorsOf(way, node, example) : `Is recorded nowhere: ${commandToRecord}`
        return errors === null ? [] : [`${way.join(' ')}: ${errors}`]
      }),
    )

    expect(all.length).toBeGreaterThan(10)
    expect(wrong).toEqual([])
  })

  test('the values of the parameters of a path make the path that its problems are about', () => {
    let problems = 0
    for (const { path, entry } of entries) {
      const inPath = parametersOf(entry).filter((each) => each['in'] === 'path')
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        String(inPath.find((each) => each['name'] === name)?.['example']),
      )
      for (const [status, response] of Object.entries(entry['responses'] as Node)) {
        const { example } = at(response, 'content', 'application/problem+json') as { example?: Problem }
        if (example === undefined) continue
        problems += 1
        const { code } = example
        expect([entry['operationId'], example.instance]).toEqual([entry['operationId'], filled])
        expect(example).toMatchObject({ status: Number(status), title: titleOf(code), type: `/docs/errors/${code}` })
        expect(statusOf(code)).toBe(Number(status))
      }
    }
    expect(problems).toBeGreaterThan(80)
  })

  test('what several operations share has no example: it would be true of one of them', () => {
    const shared = Object.values((document['components'] as Node)['responses'] as Node)

    expect(shared.filter((response) => JSON.stringify(response).includes('"example"'))).toEqual([])
  })

  test('the object that an operation answers is the one that its path names', () => {
    for (const { path, entry } of entries) {
      if (!path.endsWith('/{id}')) continue
      const id = parametersOf(entry).find((each) => each['name'] === 'id')?.['example']
      const { example } = at(entry, 'responses', '200', 'content', 'application/json') as { example?: { id?: string } }
      if (example?.id !== undefined) expect([entry['operationId'], example.id]).toEqual([entry['operationId'], id])
    }
  })

  test('what succeeds is recorded, and shows no placeholder, no empty batch and no count without groups', () => {
    const isShown = (each: Operation) => each.success !== 204 && !answersFile(each)
    const declared = operations.filter((each) => each.audiences.includes(audience) && isShown(each))
    for (const operation of declared) {
      const entry = at(document, 'paths', pathFor(operation, audience), methodOf(operation).toLowerCase())
      for (const status of operation.creates ? [201, operation.success] : [operation.success]) {
        const { example } = at(entry, 'responses', String(status), 'content', 'application/json')
        const kept = recorded.answers[operation.name]?.[status]
        expect(example, `${operation.name}. Record the examples anew: ${commandToRecord}`).toEqual(kept)
        const answer = example as { results?: { status: number }[]; data?: unknown[]; groups?: unknown[] }
        expect(JSON.stringify(answer)).not.toMatch(/":"text"|127\.0\.0\.1|localhost/)
        for (const list of [answer.results, answer.data, answer.groups])
          expect([operation.name, list]).not.toEqual([operation.name, []])
        for (const result of answer.results ?? []) expect(result.status).toBeLessThan(300)
      }
    }
  })
})

test('each kind of event has a recorded example, which is of its kind, and about the object in its data', () => {
  for (const { type } of eventCatalogue) {
    const event = recorded.events[type] as Recorded | undefined
    expect(event, `${type}: ${commandToRecord}`).toBeDefined()
    const { data, changes } = event!
    expect(event).toMatchObject({ type, object: 'event', resource: resourceOf(type, data) })
    if (type.endsWith('.updated')) expect(Object.keys(changes)).not.toEqual([])
    for (const [field, { from, to }] of Object.entries(changes)) {
      expect(from).not.toEqual(to)
      if (field in data) expect([type, field, data[field]]).toEqual([type, field, to])
    }
  }
})

/** A comment is told of as a part of what it is about, which it does not change. */
function resourceOf(type: string, data: Node): Node {
  if (data['object'] === 'comment') return { ...(data['subject'] as Node), version: null }
  const { id, kind = null, version = null } = data
  return { type: tagOf(type), id, kind, version }
}

test('no recorded value looks like a secret', () => {
  const text = readFileSync(file, 'utf8')

  expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{16}|wsk_[0-9A-Za-z]{8}_[0-9A-Za-z]{16}|eyJ[\w-]{10}/)
})

type Problem = { readonly code: FaultCode; readonly instance: string }
type Recorded = {
  readonly data: Node
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
}

/** Inside of an example there are no examples, whatever the fields are called. */
const isInExample = (way: readonly string[]): boolean => way.includes('example') || way.includes('examples')

const pointer = (way: readonly string[]): string =>
  way.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

function objectsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}
