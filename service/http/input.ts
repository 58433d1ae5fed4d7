// An operation's one flat input, put together from the parts of an HTTP request. Path and query are text and are read
// as what the schema says they are; a body is taken as it is.
import type { TSchema } from 'typebox'
import { Fault, type FieldError } from '#contract/fault.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route.ts'
import { didYouMean } from '../check.ts'

type Text = Readonly<Record<string, unknown>>
export type HttpParts = {
  readonly path: Text
  readonly query: Text
  readonly body: unknown
  readonly ifMatch: string | undefined
}

export function inputFrom(operation: Operation, { path, query, body, ifMatch }: HttpParts): Record<string, unknown> {
  const names = parameterNames(pathOf(operation))
  const fromPath = Object.fromEntries(names.map((name) => [name, path[name]]))
  const takesQuery = ['GET', 'DELETE'].includes(methodOf(operation))
  const known = knownFields(operation, names)
  const rest = takesQuery ? readQuery(operation, query, known) : readBody(body, known, query)
  return { ...rest, ...fromPath, ...expectedVersion(operation, ifMatch) }
}

/** What may stand in query or body: path parameters and the expected version have places of their own. */
const knownFields = ({ input }: Operation, inPath: readonly string[]): string[] =>
  Object.keys(input.properties).filter((name) => !inPath.includes(name) && name !== 'expectedVersion')

function readQuery({ input }: Operation, query: Text, known: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (!known.includes(name)) throw unknownParameter(name, known)
      if (typeof value !== 'string') throw parameterFault('invalid_parameter', name, 'Is given more than once.')
      return [name, coerce(value, input.properties[name])]
    }),
  )
}

function readBody(body: unknown, known: readonly string[], query: Text): Record<string, unknown> {
  const [parameter] = Object.keys(query)
  if (parameter !== undefined) throw unknownParameter(parameter, [])
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) {
    const detail = 'The body must be a JSON object.'
    throw new Fault('validation_failed', detail, { errors: [{ pointer: '', code: 'wrong_type', detail }] })
  }
  const unknown = Object.keys(body)
    .filter((name) => !known.includes(name))
    .slice(0, 20)
  if (unknown.length > 0) throw unknownFields(unknown, known)
  return { ...body }
}

type JsonSchema = { readonly type?: string; readonly items?: TSchema }

/** Text that does not read as the type is left as it is: the schema refuses it, with the reason. */
function coerce(text: string, schema: TSchema | undefined): unknown {
  const { type, items } = (schema ?? {}) as JsonSchema
  if (type === 'integer') return /^-?\d{1,16}$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'array') return text.split(',').map((part) => coerce(part, items))
  return text
}

/** `"7"`, the ETag of version 7. */
function expectedVersion({ input }: Operation, ifMatch: string | undefined): { expectedVersion?: number } {
  if (ifMatch === undefined || ifMatch === '*' || !('expectedVersion' in input.properties)) return {}
  const version = /^(?:W\/)?"(\d{1,10})"$/.exec(ifMatch)?.[1]
  if (version !== undefined) return { expectedVersion: Number(version) }
  const detail = 'Send the ETag of an earlier answer, with its quotation marks.'
  throw new Fault('invalid_header', detail, { errors: [{ header: 'If-Match', code: 'wrong_format', detail }] })
}

const unknownParameter = (name: string, known: readonly string[]): Fault =>
  parameterFault('unknown_parameter', name, `Unknown parameter.${didYouMean(name, known)}`)

function parameterFault(code: 'unknown_parameter' | 'invalid_parameter', parameter: string, detail: string): Fault {
  const error: FieldError = { parameter, code: code === 'unknown_parameter' ? 'unknown' : 'not_unique', detail }
  return new Fault(code, `${parameter}: ${detail}`, { errors: [error] })
}

function unknownFields(names: readonly string[], known: readonly string[]): Fault {
  const errors = names.map((name): FieldError => ({
    pointer: `/${name}`,
    code: 'unknown',
    detail: `Unknown field.${didYouMean(name, known)}`,
  }))
  return new Fault(
    'unknown_field',
    errors
      .map(({ pointer, detail }) => `${pointer}: ${detail}`)
      .slice(0, 3)
      .join(' '),
    { errors },
  )
}
