// The forms of AMQP_URL: one broker, or the nodes of a cluster, which differ in host and port only.
//
//   amqp://user:password@host:5672/vhost
//   amqps://user:password@host:5671,host:5671/vhost?cacertfile=/etc/ssl/rabbitmq-ca.crt
//
// A process tries one after the other. `cacertfile` has the name that RabbitMQ gives it in its own URIs.

export const authoritiesIn = 'cacertfile'
// A password may hold an @.
const form = /^(?<scheme>amqps?:\/\/)(?<user>[^/?#]*@)?(?<hosts>[^@/?#]*)(?<rest>[/?#].*)?$/s
const hostForm = /^(?:\[[\da-f:.]+\]|[^:\s]*)(?::\d+)?$/i

/** Returns null for a text that is none of these forms. */
export function brokerUrls(amqpUrl: string): readonly URL[] | null {
  const { scheme = '', user = '', hosts = '', rest = '' } = form.exec(amqpUrl)?.groups ?? {}
  const each = hosts.split(',').map((host) => host.trim())
  if (!each.every((host) => hostForm.test(host)) || (each.length > 1 && each.includes(''))) return null
  const texts = each.map((host) => scheme + user + host + rest)
  if (scheme === '' || !texts.every((text) => URL.canParse(text))) return null
  const urls = texts.map((text) => new URL(text))
  const isTls = scheme === 'amqps://'
  return urls.every(({ searchParams }) => isTls || !searchParams.has(authoritiesIn)) ? urls : null
}
