// The operation's one flat input, put together from path, query and body of an HTTP request. Text of path and query is
// read by the schema; a body is taken as it is.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, type FieldCode } from '#contract/faults/fault.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { answerFields, parameterNames } from '#contract/route-paths.ts'
import { itemsOfList, valueOfText, type TextSyntax } from '#contract/text-values.ts'
import { preconditionFields } from '../execution/preconditions.ts'
import { invalidParameter } from '../faults/shared-faults.ts'
import { shortened } from '../text/json.ts'
import { parseJson, type ItemPlace } from '../text/parse-json.ts'
import { lacksPlus } from '../text/times.ts'
import {
  customFieldComparison,
  customFieldFilters,
  isFilterField,
  type CustomFieldComparison,
} from '../validation/query-parameters.ts'
import { didYouMean, fieldErrorsMax, refusedFields, unknownField } from '../validation/unknown-field.ts'
import { markReadOnly } from '../validation/validate-operation.ts'

type TextFields = Readonly<Record<string, unknown>>
export type RequestParts = { readonly path: TextFields; readonly query: TextFields; readonly body: unknown }

export function inputFrom(operation: Operation, { path, query, body }: RequestParts): Record<string, unknown> {
  const names = parameterNames(pathOf(operation))
  const fromPath = Object.fromEntries(names.map((name) => [name, path[name]]))
  const takesQuery = ['GET', 'DELETE'].includes(methodOf(operation))
  const known = knownFields(operation, names)
  const inQuery = takesQuery ? known : known.filter((name) => answerFields.includes(name))
  const asked = readQuery(operation, query, inQuery)
  if (takesQuery) return { ...asked, ...fromPath }
  const inBody = known.filter((name) => !inQuery.includes(name))
  return { ...readBody(operation, body, inBody), ...asked, ...fromPath }
}

/** The fields that may stand in query or body: neither path parameters nor those that are headers over HTTP. */
const knownFields = ({ input }: Operation, inPath: readonly string[]): string[] =>
  Object.keys(input.properties).filter((name) => !inPath.includes(name) && !preconditionFields.includes(name))

function readQuery(operation: Operation, query: TextFields, known: readonly string[]): Record<string, unknown> {
  const { properties } = operation.input
  const plain = known.filter((name) => !isFilterField(name))
  const comparisons: CustomFieldComparison[] = []
  const read: [string, unknown][] = []
  for (const { name, written, texts } of parametersIn(query)) {
    const comparison = plain.length < known.length ? customFieldComparison(name) : null
    if (comparison === null && !plain.includes(name)) throw unknownParameter(written, plain)
    const schema: SchemaNode = properties[name] ?? {}
    const isList = comparison === null ? schema.type === 'array' : comparison.how === 'eq'
    if (!isList) assertOneValue({ name, written, texts })
    if (comparison !== null) comparisons.push({ ...comparison, texts })
    else
      read.push([name, isList ? texts.flatMap((text) => valueOf(name, text, schema)) : valueOf(name, texts[0], schema)])
  }
  return { ...Object.fromEntries(read), ...customFieldFilters(comparisons) }
}

/** The brackets that clients put behind the name where there are several values: `[]`, or `[0]`, `[1]` and so on. */
const brackets = /\[\d{0,4}\]$/
/** `written`: the name with its brackets. */
type Parameter = { readonly name: string; readonly written: string; readonly texts: readonly string[] }

/** A parameter may come several times, with brackets or without: its values are then those of a list. */
function parametersIn(query: TextFields): Parameter[] {
  const byName = Map.groupBy(Object.entries(query), ([written]) => written.replace(brackets, ''))
  return [...byName].map(([name, given]) => {
    const texts = given.flatMap(([, value]) => value).map(String)
    if (texts.includes(''))
      throw parameterFault('invalid_parameter', name, 'too_short', 'Has no value. Leave it out instead.')
    return { name, written: given.at(-1)?.[0] ?? name, texts }
  })
}

/** Two values of one parameter have no defined meaning, unless it takes a list. */
function assertOneValue({ name, written, texts }: Parameter): void {
  if (texts.length > 1)
    throw parameterFault('invalid_parameter', name, 'not_unique', 'Is given more than once, and takes one value.')
  if (written !== name)
    throw parameterFault(
      'invalid_parameter',
      name,
      'wrong_format',
      `Takes one value: send \`${name}\`, without brackets.`,
    )
}

function valueOf(name: string, text: string | undefined = '', schema: SchemaNode): unknown {
  if (schema.format === 'date-time' && lacksPlus(text))
    throw parameterFault('invalid_parameter', name, 'wrong_format', 'Holds a space for a `+`: send `%2B` in its place.')
  return valueOfText(text, schema, querySyntax)
}

/** Text that is no value of its type is left as it is, for validation to refuse. */
const querySyntax: TextSyntax = { itemsIn: itemsOfList, unreadable: (text) => text }

function readBody(operation: Operation, body: unknown, known: readonly string[]): Record<string, unknown> {
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const detail = 'The body must be a JSON object.'
    throw new Fault('validation_failed', detail, { errors: [{ pointer: '', code: 'wrong_type', detail }] })
  }
  const unknown = Object.keys(body).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw unknownFields(operation, unknown.slice(0, fieldErrorsMax), known)
  return { ...body }
}

/** Names the parameter that was probably meant, or those that there are. */
function unknownParameter(name: string, known: readonly string[]): Fault {
  const listed = known.length === 0 ? ' This operation takes none.' : ` There are: ${known.join(', ')}.`
  return parameterFault('unknown_parameter', name, 'unknown', `Unknown parameter.${didYouMean(name, known) || listed}`)
}

function parameterFault(
  code: 'unknown_parameter' | 'invalid_parameter',
  name: string,
  why: FieldCode,
  detail: string,
): Fault {
  const parameter = shortened(name)
  return new Fault(code, `${parameter}: ${detail}`, { errors: [{ parameter, code: why, detail }] })
}

function unknownFields(operation: Operation, names: readonly string[], known: readonly string[]): Fault {
  const { properties } = operation.input
  const unknown = names.map((name) => ({
    ...unknownField('', name, known),
    ...(answerFields.includes(name) && name in properties && { detail: 'Stands in the query, not in the body.' }),
  }))
  return refusedFields(markReadOnly(operation, unknown))
}

/**
 * Refuses a query that is not percent-encoded UTF-8. Parsers of queries leave as it is written what they cannot decode,
 * and a search for `%FF` would find nothing without saying why.
 */
export function assertDecodable(url: string): void {
  const at = url.indexOf('?')
  if (at === -1 || !url.includes('%', at)) return
  const broken = url
    .slice(at + 1)
    .split('&')
    .find((pair) => !isDecodable(pair))
  if (broken !== undefined)
    throw invalidParameter(shortened(broken.split('=')[0] ?? ''), 'wrong_format', 'Is not percent-encoded UTF-8.')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where a body of this route has items that are refused one by one. */
    itemPlaces?: readonly ItemPlace[]
  }
}

/** Request bodies are JSON, or JSON merge patches (RFC 7396), which are parsed alike. */
export function acceptJson(app: FastifyInstance): void {
  const types = ['application/json', 'application/merge-patch+json']
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, { parseAs: 'buffer' }, async ({ routeOptions }: FastifyRequest, body: Buffer) =>
    // An empty body is none: actions such as restore take no fields.
    body.length === 0 ? undefined : parseJson(body, routeOptions.config.itemPlaces),
  )
}
