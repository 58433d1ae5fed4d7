// Deletes the queues that a test's system leaves behind in a shared broker.
import { connect } from 'amqplib'
import { namesFor, type BrokerNames } from '#runtime/broker-connection.ts'

const tries = 3

/**
 * A busy broker may end the connection instead. The queues that stay are harmless: their names are never used again.
 */
export const dropQueues = (url: string, brand: string): Promise<void> => dropNamed(url, namesFor(brand))

export async function dropNamed(url: string, names: BrokerNames): Promise<void> {
  for (let n = 1; n <= tries; n += 1) {
    const dropped = await drop(url, names).then(
      () => true,
      () => false,
    )
    if (dropped) return
  }
}

async function drop(url: string, names: BrokerNames): Promise<void> {
  const connection = await connect(url)
  // What ends the connection fails the call that is under way, too.
  connection.on('error', () => {})
  const channel = await connection.createChannel()
  channel.on('error', () => {})
  for (const name of [names.queue, names.deadQueue, names.formerDeadQueue]) await channel.deleteQueue(name)
  for (const name of [names.exchange, names.deadExchange]) await channel.deleteExchange(name)
  await connection.close()
}
