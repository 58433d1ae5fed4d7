// What an operator reads of the connection to RabbitMQ: one warning for an outage, however many tries it takes, and one
// more where the broker refuses us, since no trying again mends that.
import type { OnState } from './broker-connection.ts'
import type { Log } from './log.ts'

export function brokerLog(log: Pick<Log, 'info' | 'warn'>): OnState {
  const told = new Set<'away' | 'refused'>()
  return (state, error) => {
    if (state === 'connected') {
      told.clear()
      return log.info('RabbitMQ is connected')
    }
    const refusal = refusalOf(error?.message ?? '')
    const kind = refusal === null ? 'away' : 'refused'
    if (told.has(kind)) return
    told.add(kind)
    log.warn({ err: error }, refusal ?? 'RabbitMQ is away, trying again until it is back')
  }
}

/** The broker's own words are numbers and constants, and for an unknown virtual host there are none. */
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
