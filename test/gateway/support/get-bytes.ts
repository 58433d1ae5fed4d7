// An answer with its bytes as they come: fetch would unpack them, and sends headers of its own.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

type Got = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: Buffer }

export async function getBytes(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const sent = request(url, { method, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}
