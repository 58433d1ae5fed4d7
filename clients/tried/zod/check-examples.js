// Every example of the description, checked with the Zod schemas that two generators make of it: json-schema-to-zod, schema
// by schema, and openapi-zod-client, whose file has a schema for each body and each answer (Zodios).
import { writeFileSync } from 'node:fs'
import { jsonSchemaToZod } from 'json-schema-to-zod'
import { api } from './generated.ts'

const document = await (await fetch(`${process.env.BASE_URL}/api/v1/openapi.json`)).json()
const refused = []
let checked = 0

function check(where, schema, example) {
  checked += 1
  const { success, error } = schema.safeParse(example)
  if (!success) refused.push(`${where}: ${JSON.stringify(error.issues).slice(0, 300)}`)
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation })),
)
const samples = [
  ...operations.flatMap(({ name, operation }) => samplesIn(name, operation)),
  ...Object.entries(document.webhooks).flatMap(([type, { post }]) => samplesIn(type, { ...post, responses: {} })),
]
const codes = samples.map(({ schema }) => jsonSchemaToZod(inlined(schema), { zodVersion: 4 }))
writeFileSync('generated-schemas.ts', `import { z } from 'zod/v4'\nexport const schemas = [\n${codes.join(',\n')}\n]\n`)
const { schemas } = await import('./generated-schemas.ts')
samples.forEach(({ where, example }, at) => check(`json-schema-to-zod, ${where}`, schemas[at], example))
for (const endpoint of api.api) checkWithEndpoint(endpoint)

for (const line of refused) console.log(line)
console.log(`${checked - refused.length} of ${checked} examples are taken`)
if (refused.length > 0 || checked < 500) process.exitCode = 1

function samplesIn(name, { requestBody = {}, responses }) {
  const answers = Object.entries(responses).map(([status, answer]) => [status, resolved(answer)])
  return [['body', requestBody], ...answers].flatMap(([what, { content = {} }]) =>
    Object.values(content)
      .filter(({ example }) => example !== undefined)
      .map(({ schema, example }) => ({ where: `${name} ${what}`, schema, example })),
  )
}

function checkWithEndpoint({ method, path, parameters = [], response, errors = [] }) {
  const { requestBody, responses } = document.paths[path.replace(/:(\w+)/g, '{$1}')][method]
  const where = `openapi-zod-client, ${method} ${path}`
  const body = parameters.find(({ type }) => type === 'Body')
  const sent = exampleIn(requestBody)
  if (body !== undefined && sent !== undefined) check(`${where} body`, body.schema, sent)
  const answers = [
    ...Object.keys(responses)
      .filter((each) => each < '300')
      .map((status) => ({ status, schema: response })),
    ...errors,
  ]
  for (const { status, schema } of answers) {
    const example = exampleIn(resolved(responses[status]))
    if (example !== undefined) check(`${where} ${status}`, schema, example)
  }
}

function exampleIn({ content = {} } = {}) {
  return Object.values(content)[0]?.example
}

/** With what is referred to in place of the reference; what stands beside a reference holds as well. */
function inlined(node) {
  if (Array.isArray(node)) return node.map(inlined)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, discriminator: _discriminator, ...rest } = node
  const others = Object.fromEntries(Object.entries(rest).map(([name, child]) => [name, inlined(child)]))
  if ($ref === undefined) return others
  const target = inlined(resolved({ $ref }))
  return Object.keys(others).length === 0 ? target : { allOf: [target, others] }
}

function resolved(node = {}) {
  if (node.$ref === undefined) return node
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((found, name) => found[name], document)
}
