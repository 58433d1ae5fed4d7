// The description in OpenAPI 3.0: it is one, and allows what the one in 3.1 does.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { asOpenApi30 } from '#contract/openapi/version-3-0.ts'
import { formats } from '../../../service/validation/string-formats.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { everywhere, type Node } from '../../support/json-document.ts'

const root = join(import.meta.dirname, '../../..')
const described = JSON.parse(readFileSync(join(root, 'docs/openapi-3.0.json'), 'utf8')) as Node
const of31 = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Node

const cli = () => createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const redocly = (...args: readonly string[]) =>
  execFileSync(process.execPath, [cli(), ...args], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })

test.skipIf(lacksForeign)('it is OpenAPI 3.0 throughout', () => {
  redocly('lint', 'docs/openapi-3.0.json', '--extends', 'spec')

  expect(described['openapi']).toBe('3.0.3')
  expect(Object.keys(described['paths'] as Node)).toEqual(Object.keys(of31['paths'] as Node))
})

const refOf = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const [text, number] = [
  { type: 'string', maxLength: 5 },
  { type: 'integer', minimum: 1 },
]

test.each([
  [
    { ...text, type: ['string', 'null'] },
    { ...text, nullable: true },
  ],
  [
    { const: 'task', type: 'string' },
    { enum: ['task'], type: 'string' },
  ],
  [
    { ...text, examples: ['a', 'b'] },
    { ...text, example: 'a' },
  ],
  [refOf('Task'), refOf('Task')],
  [
    { ...refOf('Task'), properties: { a: { ...number, type: ['integer', 'null'] } } },
    { allOf: [refOf('Task'), { properties: { a: { ...number, nullable: true } } }] },
  ],
  [{ anyOf: [refOf('Task'), { type: 'null' }] }, { type: 'object', nullable: true, allOf: [refOf('Task')] }],
  [
    { anyOf: [refOf('A'), refOf('B'), { type: 'null' }] },
    { type: 'object', nullable: true, anyOf: [refOf('A'), refOf('B')] },
  ],
  [
    { anyOf: [{ anyOf: [text, number] }, { type: 'null' }] },
    {
      anyOf: [
        { ...text, nullable: true },
        { ...number, nullable: true },
      ],
    },
  ],
  [
    { type: ['array', 'object', 'null'], description: 'D', items: text, maxItems: 3, properties: { add: text } },
    {
      description: 'D',
      anyOf: [
        { type: 'array', nullable: true, items: text, maxItems: 3 },
        { type: 'object', nullable: true, properties: { add: text } },
      ],
    },
  ],
  [
    { type: 'object', propertyNames: text, additionalProperties: { const: 1 } },
    { type: 'object', additionalProperties: { enum: [1] } },
  ],
  [
    { type: 'object', properties: { const: text, type: text, examples: { const: true } } },
    { type: 'object', properties: { const: text, type: text, examples: { enum: [true] } } },
  ],
])('%j', (schema, expected) => {
  const around = (each: object) => ({ paths: { '/a': { get: { schema: each, example: { const: 1 } } } } })
  const info = { title: 'T', summary: 'S', license: { name: 'L', identifier: 'L' } }
  const document = {
    openapi: '3.1.1',
    info,
    ...around(schema),
    webhooks: {},
    components: { schemas: { Named: schema } },
  }

  expect(asOpenApi30(document)).toEqual({
    openapi: '3.0.3',
    info: { title: 'T', license: { name: 'L' } },
    ...around(expected),
    components: { schemas: { Named: expected } },
  })
})

test('each example of the API is allowed by it', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)
  ajv.addSchema(nullableReferences(described) as Node, 'document')
  const withExample = Array.from(everywhere(described)).filter(
    ([way, node]) => 'example' in node && 'schema' in node && !way.includes('example'),
  )

  /** Many places have the same schema, which is compiled once. */
  const compiled = new Map<string, ValidateFunction>()
  const wrong = withExample.flatMap(([way, { example, schema }]) => {
    const pointer = [...way, 'schema'].map((each) => each.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile({ $ref: `document#/${encodeURI(pointer)}` })
    compiled.set(text, validate)
    return validate(example) ? [] : [`${way.join(' ')}: ${ajv.errorsText(validate.errors)}`]
  })

  expect(withExample.length).toBeGreaterThan(400)
  expect(wrong).toEqual([])
})

/** As generators read it: null, or what is referred to. */
function nullableReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullableReferences)
  if (typeof value !== 'object' || value === null) return value
  const { type, nullable, allOf, anyOf, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, nullableReferences(each)]),
  )
  const alternatives = (allOf ?? anyOf) as unknown[] | undefined
  if (type === 'object' && nullable === true && alternatives !== undefined)
    return { ...rest, anyOf: [...alternatives, { enum: [null] }] }
  return Object.fromEntries(
    Object.entries({ type, nullable, allOf, anyOf, ...rest }).filter(([, each]) => each !== undefined),
  )
}

test.skipIf(lacksForeign)('the overlay leaves one media type to each body', () => {
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'))
  const file = join(folder, 'openapi.json')
  redocly('bundle', 'docs/openapi.json', '--overlay', 'docs/generators.overlay.yaml', '-o', file)
  const overlaid = JSON.parse(readFileSync(file, 'utf8')) as Node
  rmSync(folder, { recursive: true })

  const several = (document: Node) =>
    Array.from(everywhere(document['paths'] as Node)).filter(
      ([way, node]) => way.at(-1) === 'content' && Object.keys(node).length > 1,
    )
  expect(several(of31).length).toBeGreaterThan(30)
  expect(several(overlaid)).toEqual([])
})
