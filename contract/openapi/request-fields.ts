import { type Operation, methodOf, pathOf } from '../operation.ts'
import type { SchemaNode, SchemaNodes } from '../json-schema.ts'
import { answerFields, parameterNames } from '../route-paths.ts'
import type { TObject } from 'typebox'
import { closed } from '../shared-fields.ts'

// Which part of a request each field of an operation's input is: path, header, query, or body. In the query stand the
// fields of GET and DELETE, and of all operations those that say what the answer shows.

/** Fields that are headers over HTTP: If-Match and If-None-Match. */
const headerFields = ['expectedVersion', 'createOnly']

/** Of JSON. */
export const takesBody = (operation: Operation): boolean =>
  !['GET', 'DELETE'].includes(methodOf(operation)) && operation.takesBytes !== true

export const isPost = (operation: Operation): boolean => methodOf(operation) === 'POST'

/** Does the answer have a version, and with it an ETag? */
export const isVersioned = ({ output }: Operation): boolean => hasField(output, 'version')

export const hasField = ({ properties = {}, anyOf = [] }: SchemaNode, property: string): boolean =>
  property in properties || anyOf.some((alternative) => hasField(alternative, property))

export const queryFields = (operation: Operation): SchemaNodes =>
  takesBody(operation) ? picked(queryOrBodyFields(operation), isOfAnswer) : queryOrBodyFields(operation)

export const bodyFields = (operation: Operation): SchemaNodes =>
  picked(queryOrBodyFields(operation), (name) => !isOfAnswer(name))

const isOfAnswer = (name: string): boolean => answerFields.includes(name)

const picked = (fields: SchemaNodes, isWanted: (name: string) => boolean): SchemaNodes =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)))

/** The fields that are neither in the path nor in a header. */
function queryOrBodyFields(operation: Operation): SchemaNodes {
  const elsewhere = new Set([...parameterNames(pathOf(operation)), ...headerFields])
  const { properties } = operation.documentedInput ?? operation.input
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !elsewhere.has(name)))
}

export function bodySchema(operation: Operation): TObject {
  const fields = bodyFields(operation)
  const { required = [] } = operation.input as { required?: readonly string[] }
  const needed = required.filter((name) => name in fields)
  return needed.length === 0 ? closed(fields) : Object.assign(closed(fields), { required: needed })
}
