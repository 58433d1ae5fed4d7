// Calls as an integration makes them, with how long each took. What is answered is for the caller to judge.
import { Agent, request } from 'undici'

export type Called = { readonly status: number; readonly ms: number; readonly body: string }

const agent = new Agent({ connections: 64, pipelining: 1 })

export async function call(url: string, token: string, body?: object | string): Promise<Called> {
  const startedAt = performance.now()
  const answer = await request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    dispatcher: agent,
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, ms: performance.now() - startedAt, body: text }
}

/** For what a measurement needs to be there: throws unless it is answered with success. */
export async function made<T>(url: string, token: string, body: object): Promise<T> {
  const { status, body: text } = await call(url, token, body)
  if (status >= 300) throw new Error(`POST ${new URL(url).pathname} answered ${status} ${text}`)
  return JSON.parse(text) as T
}
