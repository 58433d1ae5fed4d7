// An operation's input as a request: its path, query, If-Match and body. It needs no more of the contract than where
// the operation is reached, so that a browser can build requests without the rest.
import { answerFields, parameterNames } from '#contract/route-paths.ts'
import { textOfList } from '#contract/text-values.ts'

export type RequestParts = {
  readonly method: string
  /** With the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

type Place = { readonly method: string; /** A template. */ readonly path: string }
type Values = Readonly<Record<string, unknown>>

export function buildRequest({ method, path }: Place, input: Values, workspaceId?: string): RequestParts {
  const { expectedVersion, ...values } = input
  const inPath = parameterNames(path)
  const rest = Object.entries(values).filter(([name, value]) => !inPath.includes(name) && value !== undefined)
  const takesQuery = ['GET', 'DELETE'].includes(method)
  const isAsked = (name: string): boolean => takesQuery || answerFields.includes(name)
  const asked = rest.flatMap(([name, value]): [string, string][] => (isAsked(name) ? [[name, asText(value)]] : []))
  const query = new URLSearchParams(asked).toString()
  return {
    method,
    target: filled(path, { ...values, workspaceId }) + (query === '' ? '' : `?${query}`),
    headers: {
      'content-type': 'application/json',
      ...(expectedVersion !== undefined && { 'if-match': `"${asText(expectedVersion)}"` }),
    },
    body: takesQuery ? null : JSON.stringify(Object.fromEntries(rest.filter(([name]) => !isAsked(name)))),
  }
}

function filled(path: string, values: Values): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name]
    const text = value === undefined ? '' : asText(value)
    // Nothing and dots would make it the address of something else.
    if (['', '.', '..'].includes(text)) throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(text)
  })
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return textOfList(value.map(asText))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
