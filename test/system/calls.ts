// The API below /api/v1 as an integrator calls it, and what an answer says, in short.
import { must, type Answer, type Client, type Tenant } from '../support/client.ts'

export type Body = Answer['body']

export function callsOf(tenant: Tenant) {
  const call = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    tenant.api(method, `/api/v1${path}`, body, headers)
  const done = async (...sent: Parameters<typeof call>): Promise<Body> => must(await call(...sent))
  return {
    call,
    get: (path: string) => done('GET', path),
    post: (path: string, body?: object) => done('POST', path, body),
    patch: (path: string, body: object) => done('PATCH', path, body),
    remove: (path: string) => done('DELETE', path),
    /** Of each object of a list, this field. */
    listed: async (path: string, field: string): Promise<string[]> =>
      (await done('GET', path)).data.map((each: Body) => each[field]),
    eventsAfter: async (sequence: number): Promise<Body[]> =>
      must(await tenant.settings('GET', `/events?after=${sequence}&limit=200`)).data,
  }
}

export type Bytes = string | Uint8Array<ArrayBuffer>
type Sender = { readonly system: Pick<Client, 'url'>; readonly tenant: Pick<Tenant, 'secret'> }

/** Sends the very bytes, which no JSON.stringify has tidied. */
export async function sendBytes(by: Sender, path: string, body: Bytes, more: object = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${by.tenant.secret}`, 'content-type': 'application/json', ...more }
  const response = await fetch(by.system.url + path, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Status, code, and what is wrong where: `422 validation_failed /name required`. */
export function told({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const errors = (body?.errors ?? []).map((error: Body) => [
    error.pointer ?? error.parameter ?? error.header,
    error.code,
  ])
  return [status, status < 400 ? [] : body.code, errors].flat(3).join(' ')
}

/** Of each item of a batch. */
export const toldEach = (results: readonly Body[]): string[] =>
  results.map(({ status, problem }) => told({ status, body: problem }))
