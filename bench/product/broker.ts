// The bench's own corner of RabbitMQ, found by the deployment's brand.
import { connect, type Channel } from 'amqplib'
import { namesFor } from '#runtime/broker-names.ts'
import { amqpUrl, type Deployment } from './settings.ts'

/** Messages that no dispatcher has been given yet. */
export const waitingMessages = ({ brand }: Deployment): Promise<number> =>
  onChannel(async (channel) => (await channel.checkQueue(queueOf(brand))).messageCount)

/** So that nothing of a measurement is left for the next. */
export const forgetEvents = ({ brand }: Deployment): Promise<void> =>
  onChannel(async (channel) => void (await channel.purgeQueue(queueOf(brand))))

/** Everything that the product has declared under this brand. */
export const removeQueues = ({ brand }: Deployment): Promise<void> =>
  onChannel(async (channel) => {
    const { exchange, queue, deadExchange, deadQueue, formerQueues, formerDeadQueues } = namesFor(brand)
    const queues = [queue, deadQueue, ...formerQueues, ...formerDeadQueues]
    await Promise.all(queues.map((name) => channel.deleteQueue(name)))
    await Promise.all([exchange, deadExchange].map((name) => channel.deleteExchange(name)))
  })

const queueOf = (brand: string): string => namesFor(brand).queue

async function onChannel<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
  const connection = await connect(amqpUrl)
  try {
    return await work(await connection.createChannel())
  } finally {
    await connection.close()
  }
}
