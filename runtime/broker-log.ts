// What is logged of RabbitMQ, and what its refusals mean to an operator.
import { certificateRefusal } from './certificates.ts'
import type { Log } from './log.ts'

type BrokerState =
  | 'connected'
  | 'disconnected'
  /** Rejected messages are kept, or not, whatever the state of the connection. */
  | 'dead letters kept'
  | 'dead letters not kept'
  /** A queue of another type, or of an earlier version, that other processes still take from. */
  | 'former queue in use'
  /** Its messages are in the queue that took its place, and it is gone. */
  | 'former queue moved'
  /** What it holds stays there. */
  | 'former queue not moved'
/** `queue`: the former one. */
export type OnState = (state: BrokerState, error?: Error, queue?: string) => void

/** A broker may name something else in each refusal. */
const reasonsMax = 20
const away = 'RabbitMQ is away, trying again until it is back'
/** Of a publisher, which connects again for this reason. */
export const refusesMessages = 'RabbitMQ refuses all messages: the queue is full, or its leader was lost'
const notKept = 'RabbitMQ does not keep rejected messages, trying again; all others are delivered'
const notMoved = 'messages of a former queue cannot be moved to the new one yet, trying again'
const inUse =
  'a queue of an earlier version, or of another AMQP_QUEUE_TYPE, has consumers: what it holds is moved when they are gone'
const moved = 'the messages of a former queue were moved to the new one, and it was deleted'

/**
 * Logs the state of a connection to RabbitMQ: one warning per outage, however many reconnects it takes, and one more
 * for each reason that the broker gives for a refusal, since retries do not help then.
 */
export function brokerLog(log: Pick<Log, 'info' | 'warn'>): OnState {
  const outage = new Set<string>()
  const ofDeadLetters = new Set<string>()
  const queuesInUse = new Set<string>()
  const warnOnce = (said: Set<string>, text: string, err: Error | undefined): void => {
    if (said.has(text) || said.size >= reasonsMax) return
    said.add(text)
    log.warn({ err }, text)
  }
  return (state, error, queue = '') => {
    const message = error?.message ?? ''
    switch (state) {
      case 'connected':
        outage.clear()
        return log.info('RabbitMQ is connected')
      case 'disconnected':
        return warnOnce(outage, error === undefined ? away : (brokerRefusal(error) ?? away), error)
      case 'dead letters kept':
        return ofDeadLetters.clear()
      case 'dead letters not kept':
        // An outage is told of once.
        if (outage.size > 0 && reasonIn(message) === null) return
        return warnOnce(ofDeadLetters, withReason(notKept, message), error)
      case 'former queue in use':
        if (queuesInUse.has(queue)) return
        queuesInUse.add(queue)
        return log.info({ queue }, inUse)
      case 'former queue moved':
        queuesInUse.delete(queue)
        return log.info({ queue }, moved)
      case 'former queue not moved':
        return warnOnce(ofDeadLetters, withReason(notMoved, message), error)
    }
  }
}

/**
 * What an operator has to mend; null for any other error. The broker itself sends only codes, or its words for them.
 */
export function brokerRefusal(error: Error): string | null {
  const { message } = error
  const certificate = certificateRefusal(error)
  if (certificate !== null)
    return `the certificate of RabbitMQ is not accepted (${certificate}): see AMQP_URL and its cacertfile`
  if (message === refusesMessages) return `${message}. Connecting again`
  if (message.includes('Login was refused'))
    return 'RabbitMQ refuses the login: the user or the password in AMQP_URL is wrong'
  if (message.includes('Expected ConnectionOpenOk'))
    return 'RabbitMQ refuses the virtual host in AMQP_URL: it does not exist, or the user has no access to it'
  if (/ACCESS[-_]REFUSED/.test(message))
    return withReason(`RabbitMQ refuses an exchange or a queue: the user in AMQP_URL ${neededFor(message)}`, message)
  if (/PRECONDITION[-_]FAILED/.test(message))
    return withReason(
      'RabbitMQ refuses to declare an exchange or a queue: there is one of that name that was made otherwise. Stop what uses it, and delete it (rabbitmqctl delete_queue): each event is in the database, too',
      message,
    )
  return reasonIn(message) === null ? null : withReason('RabbitMQ refuses what it is asked for', message)
}

/** By the request that was refused and what it was about. A publish is the only one without an answer. */
const permissionOf: Readonly<Record<string, string>> = {
  'ExchangeDeclare exchange': 'configure',
  // One that names an exchange for dead letters reads its own queue and writes there.
  'QueueDeclare queue': 'configure and read',
  'QueueDeclare exchange': 'write',
  'QueueBind queue': 'write',
  'QueueBind exchange': 'read',
  'QueueUnbind queue': 'write',
  'QueueUnbind exchange': 'read',
  'QueueDelete queue': 'configure',
  'BasicGet queue': 'read',
  'BasicConsume queue': 'read',
  'publish exchange': 'write',
}
// Newer brokers name the permission.
const refusedAccess =
  /^(?:Operation failed: (?<request>\w+)|Channel closed by server).*? (?<named>configure|write|read)? ?access to (?<kind>exchange|queue) '(?<name>[^']*)'/s

function neededFor(message: string): string {
  const { request = 'publish', named, kind = '', name = '' } = refusedAccess.exec(message)?.groups ?? {}
  const permission = named ?? permissionOf[`${request} ${kind}`]
  return permission === undefined
    ? 'needs the permissions configure, write and read'
    : `lacks permissions: it needs ${permission} for the ${kind} ${name} (rabbitmqctl set_permissions)`
}

const withReason = (text: string, message: string): string => {
  const reason = reasonIn(message)
  return reason === null ? text : `${text}: ${reason}`
}

/** The broker's own words for refusing a single request. Those with which it closes a connection are of an outage. */
const reasonIn = (message: string): string | null =>
  /^(?:Operation failed: \w+;|Channel closed by server:) \d{3} \([\w-]+\) with message "(.+)"$/.exec(message)?.[1] ??
  null
