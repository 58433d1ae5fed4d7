// What a test's system leaves behind in a broker that it shares with others.
import { connect } from 'amqplib'
import { namesFor } from '#runtime/broker-line.ts'

export async function dropQueues(url: string, brand: string): Promise<void> {
  const { exchange, queue } = namesFor(brand)
  const connection = await connect(url)
  const channel = await connection.createChannel()
  for (const name of [queue, `${queue}.dead`]) await channel.deleteQueue(name)
  for (const name of [exchange, `${queue}.dead`]) await channel.deleteExchange(name)
  await connection.close()
}
