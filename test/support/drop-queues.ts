// Deletes the queues that a test's system leaves behind in a shared broker.
import { connect } from 'amqplib'
import { namesFor, type BrokerNames } from '#runtime/broker-names.ts'

/** A busy broker may end the connection instead. The queues that stay are harmless. */
export const dropQueues = (url: string, brand: string): Promise<void> => dropNamed(url, namesFor(brand))

export async function dropNamed(url: string, names: BrokerNames): Promise<void> {
  for (let left = 3; left > 0; left -= 1) {
    const error: unknown = await drop(url, names).catch((thrown: unknown) => thrown)
    if (error === undefined) return
  }
}

async function drop(url: string, names: BrokerNames): Promise<void> {
  const connection = await connect(url)
  // What ends the connection fails the call that is under way, too.
  connection.on('error', () => {})
  const channel = await connection.createChannel()
  channel.on('error', () => {})
  const { queue, deadQueue, formerQueues, formerDeadQueues } = names
  for (const name of [queue, deadQueue, ...formerQueues, ...formerDeadQueues]) await channel.deleteQueue(name)
  for (const name of [names.exchange, names.deadExchange]) await channel.deleteExchange(name)
  await connection.close()
}
