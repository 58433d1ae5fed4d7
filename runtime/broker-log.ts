// Logs the state of a connection to RabbitMQ: one warning per outage, however many reconnects it takes, and one more for
// each reason that the broker gives for a refusal, since retries do not help then.
import type { OnState } from './broker-connection.ts'
import type { Log } from './log.ts'

/** A broker may name something else in each refusal. */
const reasonsMax = 20
const away = 'RabbitMQ is away, trying again until it is back'
const notKept = 'RabbitMQ does not keep rejected messages, trying again; all others are delivered'
const notMoved = 'messages of the former queue of rejected messages cannot be moved to the new one yet, trying again'

export function brokerLog(log: Pick<Log, 'info' | 'warn'>): OnState {
  const outage = new Set<string>()
  const ofDeadLetters = new Set<string>()
  const warnOnce = (said: Set<string>, text: string, err: Error | undefined): void => {
    if (said.has(text) || said.size >= reasonsMax) return
    said.add(text)
    log.warn({ err }, text)
  }
  return (state, error) => {
    const message = error?.message ?? ''
    switch (state) {
      case 'connected':
        outage.clear()
        return log.info('RabbitMQ is connected')
      case 'disconnected':
        return warnOnce(outage, refusalOf(message) ?? away, error)
      case 'dead letters kept':
        return ofDeadLetters.clear()
      case 'dead letters not kept':
        // An outage is told of once.
        if (outage.size > 0 && reasonIn(message) === null) return
        return warnOnce(ofDeadLetters, withReason(notKept, message), error)
      case 'dead letters not moved':
        return warnOnce(ofDeadLetters, withReason(notMoved, message), error)
    }
  }
}

/** What an operator has to mend; null for any other error. The broker itself sends only codes, or its words for them. */
function refusalOf(message: string): string | null {
  if (message.includes('Login was refused'))
    return 'RabbitMQ refuses the login: the user or the password in AMQP_URL is wrong'
  if (message.includes('Expected ConnectionOpenOk'))
    return 'RabbitMQ refuses the virtual host in AMQP_URL: it does not exist, or the user has no access to it'
  if (/ACCESS[-_]REFUSED/.test(message))
    return withReason(
      'RabbitMQ refuses an exchange or a queue: the user in AMQP_URL needs the permissions configure, write and read',
      message,
    )
  if (/PRECONDITION[-_]FAILED/.test(message))
    return withReason(
      'RabbitMQ refuses to declare an exchange or a queue: there is one of that name that was made otherwise',
      message,
    )
  return reasonIn(message) === null ? null : withReason('RabbitMQ refuses what it is asked for', message)
}

const withReason = (text: string, message: string): string => {
  const reason = reasonIn(message)
  return reason === null ? text : `${text}: ${reason}`
}

/** The broker's own words for refusing a single request. Those with which it closes a connection are of an outage. */
const reasonIn = (message: string): string | null =>
  /^Operation failed: \w+; \d{3} \([\w-]+\) with message "(.+)"$/.exec(message)?.[1] ?? null
