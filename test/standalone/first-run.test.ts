// What the first start prints works as it is printed, or says what makes it work.
import { expect, test } from 'vitest'
import { seedIfNew, welcomeMessage } from '../../standalone/first-run.ts'
import { startSystem, type System } from '../support/system.ts'

async function printed({ url, operatorToken }: System): Promise<{ message: string; body: unknown; key: string }> {
  const seeded = await seedIfNew({ url, operatorToken })
  if (seeded === null) throw new Error('There is a workspace already')
  const message = welcomeMessage(url, seeded, null)
  const [, json = ''] = /\/api\/v1\/webhooks .* -d '(.*)'/.exec(message) ?? []
  return { message, body: JSON.parse(json), key: seeded.key }
}

test('the webhook that is printed is made as it is printed', async () => {
  await using system = await startSystem('standalone')
  const { message, body, key } = await printed(system)

  const made = await system.call('POST', '/api/v1/webhooks', body, { authorization: `Bearer ${key}` })

  expect(made.status).toBe(201)
  expect(message).not.toContain('WEBHOOK_ALLOW')
})

test.each([
  { webhookAllowCidrs: [], webhookAllowHttp: true },
  { webhookAllowCidrs: ['127.0.0.0/8'], webhookAllowHttp: false },
  { webhookAllowCidrs: [], webhookAllowHttp: false },
])('where it would be refused the message says why, and with which settings it is not: %j', async (change) => {
  await using system = await startSystem('standalone', change)
  const { message, body, key } = await printed(system)

  const refused = await system.call('POST', '/api/v1/webhooks', body, { authorization: `Bearer ${key}` })

  expect(refused.status).toBe(422)
  expect(message).toContain(`As it was started, this is refused: ${refused.body.errors[0].detail}`)
  expect(message).toContain('Start again with WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 and WEBHOOK_ALLOW_HTTP=true')
})
