// Logs the state of a connection to RabbitMQ: one warning per outage, however many reconnects it takes, and one more when
// the broker refuses us, since retries do not help then.
import type { OnState } from './broker-connection.ts'
import type { Log } from './log.ts'

export function brokerLog(log: Pick<Log, 'info' | 'warn'>): OnState {
  const logged = new Set<'away' | 'refused'>()
  return (state, error) => {
    if (state === 'connected') {
      logged.clear()
      return log.info('RabbitMQ is connected')
    }
    const refusal = refusalOf(error?.message ?? '')
    const kind = refusal === null ? 'away' : 'refused'
    if (logged.has(kind)) return
    logged.add(kind)
    log.warn({ err: error }, refusal ?? 'RabbitMQ is away, trying again until it is back')
  }
}

/** What an operator has to mend; null for any other error. The broker itself sends only codes, or nothing. */
function refusalOf(message: string): string | null {
  if (message.includes('Login was refused'))
    return 'RabbitMQ refuses the login: the user or the password in AMQP_URL is wrong'
  if (message.includes('Expected ConnectionOpenOk'))
    return 'RabbitMQ refuses the virtual host in AMQP_URL: it does not exist, or the user has no access to it'
  if (/ACCESS[-_]REFUSED/.test(message))
    return 'RabbitMQ refuses an exchange or a queue: the user in AMQP_URL needs the permissions configure, write and read'
  if (/PRECONDITION[-_]FAILED/.test(message))
    return 'RabbitMQ refuses to declare an exchange or a queue: there is one of that name that was made otherwise'
  return null
}
