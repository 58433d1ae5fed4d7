// The story that libraries for webhooks play: a webhook is registered, a project made, and the delivery that
// comes verified; then one that was changed on the way is refused. The installation must reach this machine.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Throws where the delivery is not what was signed with the secret. */
export type Verify = (secret: string, body: string, headers: IncomingHttpHeaders) => unknown

export async function tellWebhookStory(verify: Verify): Promise<void> {
  const { secret, body, headers } = await receiveDelivery()
  console.log('done: receive')
  await verify(secret, body, headers)
  console.log('done: verify')
  const isRefused = await Promise.resolve()
    .then(() => verify(secret, body.replace('projects.created', 'projects.deleted'), headers))
    .then(
      () => false,
      () => true,
    )
  assert.ok(isRefused)
  console.log('done: refuse what was changed')
}

async function receiveDelivery(): Promise<{ secret: string; body: string; headers: IncomingHttpHeaders }> {
  const receiver = createServer().listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const webhook = await post('/webhooks', { name: 'Tried', url, eventTypes: ['projects.created'] })
  const arrives = once(receiver, 'request')
  await post('/projects', { name: 'Größe' })
  const [request, response] = await arrives
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  response.writeHead(204).end()
  receiver.close()
  return { secret: webhook['secret'] ?? '', body: Buffer.concat(chunks).toString(), headers: request.headers }
}

async function post(path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${process.env['BASE_URL']}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env['API_KEY']}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, string>
  assert.ok(response.ok, JSON.stringify(answer))
  return answer
}
