// A revoked key is refused everywhere within seconds, whichever connections to Redis are down. Two gateways, each with
// a service; the connection of each pair to Redis can be frozen.
import { expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { must, settingsFor } from '../support/system.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const { postgres, redis } = services()

async function startTwo() {
  const database = await freshDatabase('postgres')
  const settings = settingsFor('standalone')
  const start = async () => {
    const way = await startTcpProxy(redis ?? '')
    const tiers = await startTiers({ ...settings, redisUrl: way.url }, database.db, logger('fatal', 'test'))
    return { way, tiers, client: clientOf(tiers.url, settings.operatorToken) }
  }
  const [one, two] = [await start(), await start()]
  const close = async () => {
    await Promise.all([one, two].map(({ tiers }) => tiers.close()))
    for (const { way } of [one, two]) await way[Symbol.asyncDispose]()
    await database.close()
  }
  return { one, two, [Symbol.asyncDispose]: close }
}

test.skipIf(postgres === null || redis === null).each([
  { lost: 'the service that revokes', frozen: ['one'] },
  { lost: 'the gateway that is called', frozen: ['two'] },
  { lost: 'every service and every gateway', frozen: ['one', 'two'] },
] as const)('a revocation holds everywhere though $lost lost Redis', async ({ frozen }) => {
  await using system = await startTwo()
  const { one, two } = system
  const tenant = await one.client.tenant()
  const codes = () =>
    Promise.all(
      [one, two].map(async ({ client }) => {
        const headers = { authorization: `Bearer ${tenant.secret}` }
        const { status, body } = await client.call('GET', '/api/v1/projects', undefined, headers)
        return status === 200 ? 'ok' : String(body.code)
      }),
    )
  expect(await codes()).toEqual(['ok', 'ok'])
  for (const name of frozen) system[name].way.freeze()

  must(await tenant.settings('DELETE', `/api-keys/${tenant.keyId}`))

  // Half of the time for which a gateway believes what it knows while it hears of changes.
  const refused = async () => (await codes()).every((code) => code === 'api_key_revoked')
  await eventually(refused, 'the key is refused everywhere', 15_000)
})
