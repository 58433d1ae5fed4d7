// Parses a `.http` file as editors do.
import type { Env } from './run-program.ts'

type Request = { name: string; url: string; method: string; headers: Env; body?: string }

/** The requests that an editor would send: variables first, then requests separated by `###`. */
export function requestsIn(text: string, env: Env): Request[] {
  const [head = '', ...parts] = text.split(/^### /m)
  const variables = new Map(
    Array.from(head.matchAll(/^@(\w+) = (.*)$/gm), ([, name = '', value = '']) => [
      name,
      value.replace(/^\{\{\$processEnv (\w+)\}\}$/, (_match, variable: string) => env[variable] ?? ''),
    ]),
  )
  return parts.map((part) => {
    const filled = part.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => variables.get(name) ?? '')
    const [start = '', ...paragraphs] = filled.trim().split('\n\n')
    const body = paragraphs.join('\n\n')
    const [name = '', line = '', ...headers] = start.split('\n').filter((each) => !each.startsWith('#'))
    const [method = '', url = ''] = line.split(' ')
    const named = headers.map((header) => header.split(': ') as [string, string])
    return { name, method, url, headers: Object.fromEntries(named), ...(body && { body }) }
  })
}
