// The HTTP request for an operation's input.
import { methodOf, pathOf, type Audience, type Operation } from '#contract/operation.ts'
import { answerFields, parameterNames, pathFor } from '#contract/route-paths.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

type Input = Readonly<Record<string, unknown>>
export type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: unknown
}

export const takesQuery = (operation: Operation): boolean => ['GET', 'DELETE'].includes(methodOf(operation))
const inPath = (operation: Operation): string[] => parameterNames(pathOf(operation))
const conditions = ['expectedVersion', 'createOnly']

export function requestOf(operation: Operation, input: Input, audience: Audience, workspaceId: string): Request {
  if (!isObject(input)) {
    const url = pathFor(operation, audience).replace('{workspaceId}', workspaceId)
    return { method: methodOf(operation), url, headers: {}, payload: input }
  }
  const left = Object.entries(input).filter(([name]) => ![...inPath(operation), ...conditions].includes(name))
  const path = pathFor(operation, audience).replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(name === 'workspaceId' && audience === 'settings' ? workspaceId : asText(input[name])),
  )
  const request = { method: methodOf(operation), headers: headersOf(input) }
  const isAsked = (name: string): boolean => takesQuery(operation) || answerFields.includes(name)
  const asked = left.filter(([name]) => isAsked(name))
  const query = new URLSearchParams(asked.flatMap(([name, value]) => parameters(name, value))).toString()
  const payload = Object.fromEntries(left.filter(([name]) => !isAsked(name)))
  if (!takesQuery(operation)) return { ...request, url: query === '' ? path : `${path}?${query}`, payload }
  return { ...request, url: query === '' ? path : `${path}?${query}` }
}

const headersOf = ({ expectedVersion, createOnly }: Input): Record<string, string> => ({
  ...(expectedVersion !== undefined && { 'if-match': `"${asText(expectedVersion)}"` }),
  ...(createOnly === true && { 'if-none-match': '*' }),
})

function parameters(name: string, value: unknown): [string, string][] {
  if (name !== 'customFields') return [[name, asText(value)]]
  return Object.entries(value as Record<string, object>).flatMap(([key, comparisons]) =>
    Object.entries(comparisons).map(([how, bound]): [string, string] => [
      `customFields.${key}${how === 'eq' ? '' : `[${how}]`}`,
      asText(bound),
    ]),
  )
}

/** A list in a query has commas between its values; a comma of a value has a backslash before it. */
const asText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((one) => asText(one).replaceAll(/[\\,]/g, '\\$&')).join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

/** Some invalid values of JSON cannot be written in a query or path. */
export function canBeSent(operation: Operation, input: Input): boolean {
  const named = inPath(operation).map((name) => asText(input[name] ?? ''))
  // A path segment cannot be empty, `.` or `..`.
  if (named.some((text) => ['', '.', '..'].includes(text))) return false
  const asked = Object.entries(input).filter(([name]) => takesQuery(operation) || answerFields.includes(name))
  return asked.every(([, value]) => value !== null && asText(value) !== '')
}
