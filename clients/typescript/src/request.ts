// An operation's input as a request: its path, query, conditions and body. It needs only to know where the operation is
// reached.

export type RequestParts = {
  readonly method: string
  /** With the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

type Place = { readonly method: string; /** A template. */ readonly path: string }
type Values = Readonly<Record<string, unknown>>

/** What an answer shows stands in the query, also where all else is the body. */
const answerFields = new Set(['fields', 'expand'])

export function buildRequest({ method, path }: Place, input: Values, workspaceId?: string): RequestParts {
  const { expectedVersion, createOnly, ...values } = input
  const inPath = parameterNames(path)
  const rest = Object.entries(values).filter(([name, value]) => !inPath.includes(name) && value !== undefined)
  const takesQuery = ['GET', 'DELETE'].includes(method)
  const isAsked = (name: string): boolean => takesQuery || answerFields.has(name)
  const asked = rest.flatMap(([name, value]) => (isAsked(name) ? parametersOf(name, value) : []))
  const query = new URLSearchParams(asked).toString()
  return {
    method,
    target: filled(path, { ...values, workspaceId }) + (query === '' ? '' : `?${query}`),
    headers: {
      'content-type': 'application/json',
      ...(expectedVersion !== undefined && { 'if-match': `"${asText(expectedVersion)}"` }),
      ...(createOnly === true && { 'if-none-match': '*' }),
    },
    body: takesQuery ? null : JSON.stringify(Object.fromEntries(rest.filter(([name]) => !isAsked(name)))),
  }
}

/** The names in a path template, in their order. */
const parameterNames = (path: string): string[] => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

function filled(path: string, values: Values): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name]
    const text = value === undefined ? '' : asText(value)
    // Nothing and dots would make it the address of something else.
    if (['', '.', '..'].includes(text)) throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(text)
  })
}

/** A filter by custom fields, `{ size: { gte: '5' } }`, is a parameter for each: `customFields.size[gte]=5`. */
function parametersOf(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, asText(value)]]
  return Object.entries(value).flatMap(([key, bounds]) =>
    Object.entries(bounds as object).flatMap(([bound, limit]): [string, string][] =>
      limit === undefined ? [] : [[`${name}.${key}${bound === 'eq' ? '' : `[${bound}]`}`, asText(limit)]],
    ),
  )
}

/** Commas part the items of a list; one in an item has a backslash before it. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => asText(item).replace(/[\\,]/g, '\\$&')).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
