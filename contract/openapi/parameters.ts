// The Parameter Objects of an operation: of the path, of the query, and the headers that it reads.
import { Type } from 'typebox'
import { Id } from '../shared-fields.ts'
import { type Json, type Names, schemaOrRef, withDescription } from './components.ts'
import { requiredIn, type SchemaNode, type SchemaNodes } from '../json-schema.ts'
import { methodOf, takesIdempotencyKey, type Audience, type Operation, idempotencyKeptHours } from '../operation.ts'
import { parameterNames, pathFor } from '../route-paths.ts'
import { answersBytes } from '../file-answer.ts'
import { isVersioned, queryFields } from './request-fields.ts'
import { exampleInPath } from '../example-values.ts'

export function parameterObjects(operation: Operation, names: Names, audience: Audience): Json[] {
  const properties: SchemaNodes = { workspaceId, ...operation.input.properties }
  return [
    ...parameterNames(pathFor(operation, audience)).map((name) =>
      pathParameter(operation, name, properties[name] ?? {}, names),
    ),
    ...Object.entries(queryFields(operation)).map(([name, schema]) => queryParameter(operation, name, schema, names)),
    ...headerParameters(operation),
  ]
}

function pathParameter(operation: Operation, name: string, schema: SchemaNode, names: Names): Json {
  const { description, ...rest } = withDescription(schemaOrRef(schema, names), name)
  const said = { name, in: 'path', required: true, ...(description !== undefined && { description }) }
  return { ...said, schema: rest, example: exampleInPath(operation.name, name) }
}

function queryParameter(operation: Operation, name: string, schema: SchemaNode, names: Names): Json {
  if (name === 'customFields') return customFieldsParameter
  const { description, ...rest } = withDescription(withoutListDefault(schemaOrRef(schema, names)), name)
  const required = requiredIn(operation.input).includes(name)
  return {
    name,
    in: 'query',
    ...(required && { required, example: examplesOfRequired[name] }),
    ...(description !== undefined && { description }),
    ...(rest['type'] === 'array' && { style: 'form', explode: false }),
    schema: rest,
  }
}

/** Importers send a default as it stands, which for a list is JSON and not words with commas. So it is a sentence. */
function withoutListDefault({ default: value, ...rest }: Json): Json {
  if (!Array.isArray(value)) return value === undefined ? rest : { ...rest, default: value }
  const { description = '' } = rest
  return { ...rest, description: `${String(description)} Default: \`${value.join(',')}\`.`.trimStart() }
}

/** Importers send a parameter that is required, and without an example nothing or a value of their own making. */
const examplesOfRequired: Readonly<Record<string, string>> = {
  q: 'website',
  uri: 'workspace://overview',
  format: 'csv',
  url: 'https://example.com/webhooks',
}

// An object in form style, exploded, is one parameter for each of its properties: `customFields.budget[gte]=5`.
const customFieldsParameter: Json = {
  name: 'customFields',
  in: 'query',
  style: 'form',
  explode: true,
  description:
    'By custom field: `customFields.<key>=<value>`. Separate several values with commas: any of them may match. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also have `customFields.<key>[gte]=…` and `customFields.<key>[lte]=…`.',
  schema: {
    type: 'object',
    propertyNames: { pattern: '^customFields\\.[a-z][a-z0-9_]{0,39}(\\[(gte|lte)\\])?$' },
    additionalProperties: { type: 'string', minLength: 1, maxLength: 10_000 },
    maxProperties: 30,
  },
}

const workspaceId: SchemaNode = { ...Id, description: 'The workspace to act in.' }

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `The same request with the same key acts once and gets the same response for ${idempotencyKeptHours} hours.`,
  schema: Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' }),
}
// Importers send a header that has an example with every call. The first example of this one fits an object of any
// version.
const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you saw last, several ETags separated by commas, or `*` for any version. If the object has another version, or does not exist, nothing changes and the response is 412. Weak tags match nothing.',
  schema: Type.String({ maxLength: 1_000, examples: ['*', '"7"'] }),
}
/** Where the object may not exist yet: no value fits both an object that is there and one that is not. */
const ifMatchOfUpsert: Json = { ...ifMatch, schema: Type.String({ maxLength: 1_000 }) }
const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you have, or several ETags separated by commas: 304 if it has not changed.',
  schema: Type.String({ maxLength: 1_000, examples: ['"7"'] }),
}
const range: Json = {
  name: 'Range',
  in: 'header',
  description: 'One part of the file, such as `bytes=1048576-`: the response is 206.',
  schema: Type.String({ maxLength: 100, pattern: '^bytes=\\d*-\\d*$' }),
}
const createOnly: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*` returns 412 if the object exists.',
  schema: Type.Literal('*'),
}

function headerParameters(operation: Operation): Json[] {
  const { properties } = operation.input
  return [
    // A deletion takes a key as well, and hardly needs one: the text at the top says so, and the list stays short.
    ...(takesIdempotencyKey(operation) && methodOf(operation) !== 'DELETE' ? [idempotencyKey] : []),
    ...('expectedVersion' in properties ? ['createOnly' in properties ? ifMatchOfUpsert : ifMatch] : []),
    ...('createOnly' in properties ? [createOnly] : []),
    ...(methodOf(operation) === 'GET' && isVersioned(operation) ? [ifNoneMatch] : []),
    ...(answersBytes(operation) ? [range] : []),
  ]
}
