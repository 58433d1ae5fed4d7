// One webhook without a dispatcher: both signatures over the body and one undici.request. The least that one can cost.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const standardKey = Buffer.from(secret.slice('whsec_'.length), 'base64')
const timeoutMs = 15_000
const agent = new Agent({ pipelining: 1 })

export async function post(url: string, body: Buffer): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await request(url, { method: 'POST', headers: signed(body), body, dispatcher: agent, signal })
  await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}`)
}

export const closeConnections = (): Promise<void> => agent.close()

function signed(body: Buffer): Record<string, string> {
  const [id, stamp] = [randomUUID(), String(Math.floor(Date.now() / 1_000))]
  const own = createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex')
  const standard = createHmac('sha256', standardKey).update(`${id}.${stamp}.`).update(body).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'bench-webhooks/1',
    'x-service-event': 'projects.created',
    'x-service-delivery-id': id,
    'x-service-signature-timestamp': stamp,
    'x-service-signature': `t=${stamp},v1=${own}`,
    'webhook-id': id,
    'webhook-timestamp': stamp,
    'webhook-signature': `v1,${standard}`,
  }
}
