// What the SDK's schemas find wrong, in a sentence of ours: their own messages are written for programmers.
import type { JSONRPCRequestSchema } from '@modelcontextprotocol/core'

export type Issue = NonNullable<ReturnType<(typeof JSONRPCRequestSchema)['safeParse']>['error']>['issues'][number]

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
const placeLengthMax = 120

/** `within`: where in the message the validated value is. */
export function describeIssue(issue: Issue, within: readonly PropertyKey[]): string {
  const path = [...within, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `\`${bounded([...path, key])}\``)
    return `${names.slice(0, 3).join(', ')} ${names.length === 1 ? 'has' : 'have'} no place in this message.`
  }
  return path.length === 0
    ? 'Not a JSON-RPC message.'
    : `\`${bounded(path)}\` must be ${expected(issue) ?? 'of the form that MCP gives it'}.`
}

function expected(issue: Issue): string | null {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? null
  if (issue.code === 'invalid_value') return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
  if (issue.code !== 'invalid_union') return null
  const options = issue.errors.map(([first]) => (first?.path.length === 0 ? expected(first) : null))
  return options.includes(null) || options.length === 0 ? null : options.join(' or ')
}

const bounded = (path: readonly PropertyKey[]): string => path.map(String).join('.').slice(0, placeLengthMax)
