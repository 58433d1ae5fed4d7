// RabbitMQ: whether each of its addresses is reached, and whether the user may do what the process does there. Nothing
// is declared that is not there yet, and a message that is looked at stays.
import type { Channel, ChannelModel } from 'amqplib'
import { brokerAt, connectTo, withChannel, type Broker } from '#runtime/broker-connection.ts'
import { brokerRefusal } from '#runtime/broker-log.ts'
import { namesFor, type BrokerNames, type QueueType } from '#runtime/broker-names.ts'
import { deadQueueOptions, queueOptions } from '#runtime/broker-queues.ts'
import { startupSentence } from '#runtime/process.ts'
import { found, type Check, type Finding } from './finding.ts'

type BrokerSettings = { readonly amqpUrl: string; readonly amqpQueueType: QueueType; readonly brand: string }
/** A service publishes what a dispatcher consumes; standalone does both. */
type Part = 'publisher' | 'consumer' | 'both'

const about = 'RabbitMQ'

export const rabbitmq = ({ amqpUrl, amqpQueueType, brand }: BrokerSettings, part: Part): Check => ({
  about,
  look: async () => {
    const broker = brokerAt(amqpUrl)
    const reached = await Promise.all(broker.addresses.keys().map((at) => lookAtAddress(broker, at)))
    const models = reached.flatMap(({ model }) => (model === null ? [] : [model]))
    try {
      const [first] = models
      const findings = reached.map(({ finding }) => finding)
      if (first === undefined) return findings
      // One node is enough to work.
      const ofAddresses = findings.map((each) => (each.level === 'ok' ? each : { ...each, level: 'warning' as const }))
      return [...ofAddresses, ...(await permissions(first, namesFor(brand, amqpQueueType), part))]
    } finally {
      await Promise.all(models.map((model) => model.close().catch(() => {})))
    }
  },
})

type Server = { readonly serverProperties: Readonly<Record<string, unknown>> }
type Reached = { readonly model: ChannelModel | null; readonly finding: Finding }

async function lookAtAddress(broker: Broker, at: number): Promise<Reached> {
  const isOne = broker.addresses.length === 1
  const name = isOne ? '' : `${new URL(broker.addresses[at] ?? '').host}: `
  try {
    const model = await connectTo(broker, at)
    const { version } = (model.connection as unknown as Server).serverProperties
    return { model, finding: found('ok', about, `${name}Reached, version ${String(version)}.`) }
  } catch (error) {
    return { model: null, finding: found('failure', about, name + sentenceOf(error as Error)) }
  }
}

const sentenceOf = (error: Error): string => {
  const refusal = brokerRefusal(error)
  return refusal === null ? (startupSentence(error) ?? `${error.message}.`) : `${refusal}.`
}

type Step = (channel: Channel) => Promise<unknown>

/** What each part does, in the order of doing it, and with nothing changed by it. */
function stepsOf(names: BrokerNames, part: Part): readonly Step[] {
  const { exchange, queue, routingKey, deadExchange, deadQueue } = names
  const common: Step[] = [
    (channel) => channel.assertExchange(exchange, 'topic', { durable: true }),
    (channel) => channel.assertQueue(queue, queueOptions(names)),
    (channel) => channel.bindQueue(queue, exchange, routingKey),
  ]
  const publishing: Step[] = [(channel) => publishNowhere(channel, exchange)]
  const consuming: Step[] = [
    // It is put back when the channel closes.
    (channel) => channel.get(queue),
    (channel) => channel.assertExchange(deadExchange, 'fanout', { durable: true }),
    (channel) => channel.assertQueue(deadQueue, deadQueueOptions(names)),
    (channel) => channel.bindQueue(deadQueue, deadExchange, ''),
  ]
  return [...common, ...(part === 'consumer' ? [] : publishing), ...(part === 'publisher' ? [] : consuming)]
}

/** No queue is bound by this key. A refusal comes in place of the answer to what follows. */
async function publishNowhere(channel: Channel, exchange: string): Promise<void> {
  channel.publish(exchange, 'doctor', Buffer.alloc(0))
  await channel.prefetch(1)
}

async function permissions(model: ChannelModel, names: BrokerNames, part: Part): Promise<Finding[]> {
  const needed = part === 'publisher' ? [names.queue] : [names.queue, names.deadQueue]
  for (const queue of needed)
    if (!(await isThere(model, queue)))
      return [found('ok', about, `The queue ${queue} is not there yet: the first process that connects makes it.`)]
  const refusals: Finding[] = []
  for (const step of stepsOf(names, part)) {
    const error: unknown = await withChannel(model, step).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (error !== null) refusals.push(found('failure', about, sentenceOf(error as Error)))
  }
  const well = found('ok', about, `The user may use the queues of type ${names.type}.`)
  return refusals.length === 0 ? [well] : refusals
}

const isThere = (model: ChannelModel, queue: string): Promise<boolean> =>
  withChannel(model, (channel) => channel.checkQueue(queue)).then(
    () => true,
    () => false,
  )
