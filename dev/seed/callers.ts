// The callers that make the sample data: the operator, people at their pages, and programs with a key.
import { operations } from '#contract/api.ts'
import type { Audience } from '#contract/operation.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { client, requestFor, type Client } from '#clients/client.ts'
import { readAnswer } from '#clients/typescript/src/answer.ts'

export type Person = Client & { readonly email: string }

export const programOf = (baseUrl: string, token: string, userAgent: string): Client =>
  client({ baseUrl, token, audience: 'api', userAgent })

export const operatorOf = (baseUrl: string, token: string, workspaceId?: string): Client =>
  client({ baseUrl, token, audience: 'settings', ...(workspaceId !== undefined && { workspaceId }) })

/** Calls a tool as an assistant does, and does not look at what it answers. */
export async function callTool(baseUrl: string, token: string, name: string, args: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  await (await fetch(baseUrl + mcpPath, { method: 'POST', headers, body })).text()
}

type Visit = { readonly baseUrl: string; readonly email: string; readonly workspaceId?: string }

/** A browser of this person: calls carry the cookies that earlier answers have set. */
export function personAt({ baseUrl, email, workspaceId = '' }: Visit): Person {
  const cookies = new Map<string, string>()
  const call: Client['call'] = async (name, input) => {
    const operation = operations.find((each) => each.name === name)
    if (operation === undefined) throw new Error(`There is no operation ${name}`)
    const audience: Audience = 'settings'
    const request = requestFor(operation, input as Record<string, unknown>, {
      baseUrl,
      token: '',
      audience,
      workspaceId,
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    })
    request.headers.delete('authorization')
    request.headers.set('sec-fetch-site', 'same-origin')
    request.headers.set('cookie', [...cookies].map(([key, value]) => `${key}=${value}`).join('; '))
    const response = await fetch(request)
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    // The service checks its answers against the contract.
    return (await readAnswer(response)) as never
  }
  return { email, call }
}
