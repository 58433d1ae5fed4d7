// Events on their way out: how soon they arrive, and how many one dispatcher can send.
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { startReceiver } from '../../product/receiver.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants, type Tenant } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Scenario } from '../../scenario.ts'
import { latency } from './latency.ts'
import { saturation } from './saturation.ts'
import { webhooksEach, workspaces, type Setting } from './seeded-workspaces.ts'

export const webhooks: Scenario = {
  name: 'webhooks',
  about:
    'Webhooks from the service through RabbitMQ and the dispatcher to a receiver on loopback, beside a bare loop of signed POSTs. Each round has its own copy of one seeded database.',
  prepare: async ({ seconds }) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded, receiver] = [
      newDeployment(),
      undo.use(await emptyDatabase()),
      undo.use(await startReceiver()),
    ]
    undo.defer(() => removeQueues(deployment))
    const tenants = await seed(deployment, seeded, receiver.url)
    const { body: eventBody } = await seeded.look<{ body: string }>(
      `SELECT body FROM event WHERE type = 'projects.created' LIMIT 1`,
    )
    const setting: Setting = { deployment, seeded, tenants, receiver, eventBody, seconds }
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return { parts: [latency(setting), saturation(setting)], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

async function seed(deployment: Deployment, { url }: Database, receiver: string): Promise<Tenant[]> {
  await migrate(url)
  await using service = await startService(deployment, url)
  await using gateway = await startGateway(deployment, service.url)
  const receivers = Array.from({ length: webhooksEach }, (_, n) => `${receiver}/${n}`)
  return await makeTenants(gateway.url, deployment, { workspaces, keysEach: 1, projectsEach: 1, receivers })
}
