// Parameters of an operation: of the path, of the query (GET and DELETE), and the headers that it looks at.
import { Type, type TObject } from 'typebox'
import { Id, closed } from '../fields.ts'
import { idempotencyKeptHours } from '../size-limits.ts'
import { described, explained, type Json, type Names } from './schemas.ts'
import { methodOf, pathOf, type Audience, type Operation } from '../operation.ts'
import type { SchemaNode, SchemaNodes } from '../json-schema.ts'
import { parameterNames, pathFor } from '../route.ts'

/** Fields of the input that are headers over HTTP. */
const conditions = ['expectedVersion', 'createOnly']

export const takesBody = (operation: Operation): boolean => !['GET', 'DELETE'].includes(methodOf(operation))
export const isPost = (operation: Operation): boolean => methodOf(operation) === 'POST'

/** Has the answer a version, and with it an ETag? */
export const isVersioned = ({ output }: Operation): boolean => has(output, 'version')

export const has = ({ properties = {}, anyOf = [] }: SchemaNode, property: string): boolean =>
  property in properties || anyOf.some((member) => has(member, property))

/** The fields of the input that stand in query or body. */
export function fieldsOf(operation: Operation): SchemaNodes {
  const elsewhere = new Set([...parameterNames(pathOf(operation)), ...conditions])
  const { properties } = operation.told ?? operation.input
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !elsewhere.has(name)))
}

export function bodyOf(operation: Operation): TObject {
  const fields = fieldsOf(operation)
  const { required = [] } = operation.input as { required?: readonly string[] }
  const needed = required.filter((name) => name in fields)
  return needed.length === 0 ? closed(fields) : Object.assign(closed(fields), { required: needed })
}

export function parametersOf(operation: Operation, names: Names, audience: Audience): Json[] {
  const properties: SchemaNodes = { workspaceId, ...operation.input.properties }
  return [
    ...parameterNames(pathFor(operation, audience)).map((name) => inPath(name, properties[name] ?? {}, names)),
    ...(takesBody(operation)
      ? []
      : Object.entries(fieldsOf(operation)).map(([name, schema]) => inQuery(operation, name, schema, names))),
    ...(operation.tenancy === 'workspace' && audience === 'api' ? [workspaceHeader] : []),
    ...headersOf(operation),
  ]
}

function inPath(name: string, schema: SchemaNode, names: Names): Json {
  const { description, ...rest } = explained(described(schema, names), name)
  return { name, in: 'path', required: true, ...(description !== undefined && { description }), schema: rest }
}

function inQuery(operation: Operation, name: string, schema: SchemaNode, names: Names): Json {
  if (name === 'customFields') return customFieldsParameter
  const { description, ...rest } = explained(described(schema, names), name)
  const required = ((operation.input as { required?: readonly string[] }).required ?? []).includes(name)
  return {
    name,
    in: 'query',
    ...(required && { required }),
    ...(description !== undefined && { description }),
    ...(rest['type'] === 'array' && { style: 'form', explode: false }),
    schema: rest,
  }
}

// An object in form style, exploded, is one parameter for each of its properties: `customFields.budget[gte]=5`.
const customFieldsParameter: Json = {
  name: 'customFields',
  in: 'query',
  style: 'form',
  explode: true,
  description:
    'By custom field: `customFields.<key>=<value>`, with commas between values of which any will do, or with `!` before each none; numbers and dates also `customFields.<key>[gte]=…` and `customFields.<key>[lte]=…`.',
  schema: {
    type: 'object',
    propertyNames: { pattern: '^customFields\\.[a-z][a-z0-9_]{0,39}(\\[(gte|lte)\\])?$' },
    additionalProperties: { type: 'string', minLength: 1, maxLength: 10_000 },
    maxProperties: 30,
  },
}

const uuid = Type.String({ format: 'uuid' })
const workspaceId: SchemaNode = { ...Id, description: 'The workspace to act in.' }
const workspaceHeader: Json = {
  name: 'x-workspace-id',
  in: 'header',
  description:
    'The workspace to act in: needed with a key that is bound to none. The query parameter `workspaceId` says the same.',
  schema: uuid,
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `The same request with the same key acts once, and is answered alike for ${idempotencyKeptHours} hours.`,
  schema: Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' }),
}
const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you saw last, or several with commas, or `*` for any: another one, or none at all, is left as it is and answered 412. Weak tags match nothing.',
  schema: Type.String({ maxLength: 1_000, examples: ['"7"'] }),
}
const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of what you have already, or several with commas: 304 where it has not changed.',
  schema: Type.String({ maxLength: 1_000, examples: ['"7"'] }),
}
const createOnly: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*` refuses with 412 where the object exists.',
  schema: Type.Literal('*'),
}

function headersOf(operation: Operation): Json[] {
  const { properties } = operation.input
  return [
    ...(isPost(operation) ? [idempotencyKey] : []),
    ...('expectedVersion' in properties ? [ifMatch] : []),
    ...('createOnly' in properties ? [createOnly] : []),
    ...(methodOf(operation) === 'GET' && isVersioned(operation) ? [ifNoneMatch] : []),
  ]
}
