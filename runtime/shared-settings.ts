// Settings that several processes of one deployment must be given alike. Each process spreads those that it needs into
// its own list.
import { choice, cidrs, flag, integer, origin, origins, port, secret, text, url } from './settings.ts'
import { brokerUrls } from './broker-address.ts'
import { queueTypes } from './broker-names.ts'
import { redisAddress } from './redis-address.ts'

export const host = text('HOST', { default: '127.0.0.1', description: 'The address to listen on.' })
export const listenPort = (value: number) => port('PORT', { default: value, description: 'The port to listen on.' })

const name = text('BRAND', {
  default: 'service',
  description:
    'The part of header names (`x-<brand>-event`), queue names and channel names. Lower case, digits, hyphens.',
})
export const brand: typeof name = {
  ...name,
  parse: (given) => {
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(given))
      throw new Error('must be up to 40 lower case letters, digits and hyphens')
    return given
  },
}
export const internalSecret = secret('INTERNAL_SECRET', {
  description:
    'Shared by all processes: it signs their messages to each other and, without SEALING_KEYS, seals stored secrets.',
})
export const acceptedSecret = secret<null>('INTERNAL_SECRET_ACCEPTED', {
  default: null,
  description:
    'A second value of INTERNAL_SECRET that is accepted from the other processes, while the secret is being changed without a stop.',
})
export const internalSecretChanged = flag('INTERNAL_SECRET_CHANGED', {
  default: false,
  description:
    'Whether INTERNAL_SECRET was changed on purpose: `true` for one start of one process. Secrets sealed with a key derived from the old one stay unreadable: see SEALING_KEYS.',
})
export const acceptedOperatorToken = secret<null>('OPERATOR_TOKEN_ACCEPTED', {
  default: null,
  description: 'A second bearer token of the operator, while the first is being changed.',
})
export const restored = flag('RESTORED', {
  default: false,
  description:
    'Whether the database was restored from a backup: `true` for one start of one process, before all others. Readers of the feed then get 410 `feed_rewound`, and deliveries that were waiting are held until the operator releases them.',
})
export const operatorToken = secret('OPERATOR_TOKEN', { description: 'The bearer token of the operator.' })
const postgres = url('DATABASE_URL', {
  protocols: ['postgres', 'postgresql'],
  description: 'The Postgres database. With `?schema=name`, its tables are in that schema.',
})
export const databaseUrl: typeof postgres = {
  ...postgres,
  parse: (given) => {
    const { searchParams } = new URL(postgres.parse(given))
    const schema = searchParams.get('schema')
    if (schema !== null && (!/^[a-z_]\w{0,62}$/i.test(schema) || schema.startsWith('pg_')))
      throw new Error('must name a schema of up to 63 letters, digits and underscores that does not begin with pg_')
    if (searchParams.get('channel_binding') === 'require')
      throw new Error(
        'cannot have channel_binding=require: leave it out, since it is used wherever the server offers it, and let sslmode=verify-full prove which server it is',
      )
    return given
  },
}
export const databasePool = integer('DATABASE_POOL', {
  default: 10,
  min: 2,
  max: 200,
  unit: 'connections',
  description: 'The most connections to Postgres that this process uses for its work.',
})
export const readTimeoutSeconds = integer('READ_TIMEOUT_SECONDS', {
  default: 2,
  min: 1,
  max: 15,
  unit: 'seconds',
  description:
    'The time limit on Postgres for one statement of a request that only reads. A longer one is stopped: `query_too_costly`.',
})
export const drainSeconds = integer('DRAIN_SECONDS', {
  default: 5,
  min: 0,
  max: 600,
  unit: 'seconds',
  description:
    'The time for which a stopping process keeps serving while `/ready` reports that it is stopping. It must be longer than balancers take to notice.',
})
const redis = text('REDIS_URL', {
  description:
    'Redis, for rate limits, for notifications of changed keys, and to notice that the database was restored: `redis://host:6379`, `redis-cluster://host:6379,host:6379` or `redis-sentinel://host:26379,host:26379/name`. With `rediss` over TLS; `?cacertfile=` then names a PEM file of the authorities of its certificates.',
})
/** Hidden, since it may contain a password. */
export const redisUrl: typeof redis = {
  ...redis,
  hidden: true,
  parse: (given) => {
    if (redisAddress(given) === null)
      throw new Error(
        'must be an address such as redis://host:6379, redis-cluster://host:6379,host:6379 or redis-sentinel://host:26379/name',
      )
    return given
  },
}
const rabbitmq = text('AMQP_URL', {
  description:
    'RabbitMQ: `amqp://user:password@host:5672/vhost`, further nodes of its cluster after commas (`@host:5672,host:5672`). With `amqps` over TLS; `?cacertfile=` then names a PEM file of the authorities of its certificates. Left out: those that Node trusts, and NODE_EXTRA_CA_CERTS.',
})
/** Hidden, since it may contain a password. */
export const amqpUrl: typeof rabbitmq = {
  ...rabbitmq,
  hidden: true,
  parse: (given) => {
    if (brokerUrls(given) === null)
      throw new Error(
        'must be an address such as amqp://user:password@host:5672/vhost or amqps://host,host/?cacertfile=/file.pem',
      )
    return given
  },
}
export const amqpQueueType = choice('AMQP_QUEUE_TYPE', {
  of: queueTypes,
  default: 'quorum',
  description:
    'The type of the queues in RabbitMQ: `quorum`, which outlive the loss of a node of a cluster, or `classic`, for brokers without them. Give services and dispatchers the same. It can be changed while they run.',
})
type Rate = { readonly perMinute: number; readonly burst: number }
type Rates = { readonly key: Rate; readonly workspace: Rate }
type RateBounds = { readonly perMinuteMax: number; readonly burstMin: number; readonly burstMax: number }

/** The rate limits of keys and workspaces that have none of their own. `burstMin`: what the costliest call takes. */
export const rateLimits = ({ key, workspace }: Rates, { perMinuteMax, burstMin, burstMax }: RateBounds) => {
  const perMinute = (name: string, value: number, description: string) =>
    integer(name, { default: value, min: 1, max: perMinuteMax, description })
  const burst = (name: string, value: number, description: string) =>
    integer(name, { default: value, min: burstMin, max: burstMax, description })
  const ofEachKey = 'of each key without a rate limit of its own'
  const ofEachWorkspace = 'of all keys of a workspace together, in each workspace without a plan of its own'
  return {
    rateLimitKeyPerMinute: perMinute(
      'RATE_LIMIT_KEY_PER_MINUTE',
      key.perMinute,
      `The maximum of requests a minute ${ofEachKey}.`,
    ),
    rateLimitKeyBurst: burst('RATE_LIMIT_KEY_BURST', key.burst, `The maximum of requests at once ${ofEachKey}.`),
    rateLimitWorkspacePerMinute: perMinute(
      'RATE_LIMIT_WORKSPACE_PER_MINUTE',
      workspace.perMinute,
      `The maximum of requests a minute ${ofEachWorkspace}.`,
    ),
    rateLimitWorkspaceBurst: burst(
      'RATE_LIMIT_WORKSPACE_BURST',
      workspace.burst,
      `The maximum of requests at once ${ofEachWorkspace}.`,
    ),
  }
}
type RateSettings = Readonly<Record<keyof ReturnType<typeof rateLimits>, number>>

export const ratesIn = (settings: RateSettings): Rates => ({
  key: { perMinute: settings.rateLimitKeyPerMinute, burst: settings.rateLimitKeyBurst },
  workspace: { perMinute: settings.rateLimitWorkspacePerMinute, burst: settings.rateLimitWorkspaceBurst },
})

/** One key cannot have more than all keys together. */
export const rateContradictions = (settings: RateSettings): string[] => {
  const { key, workspace } = ratesIn(settings)
  const above = (name: string, value: number, most: number): string[] =>
    value <= most ? [] : [`RATE_LIMIT_KEY_${name} is above RATE_LIMIT_WORKSPACE_${name}: ${value} is more than ${most}`]
  return [...above('PER_MINUTE', key.perMinute, workspace.perMinute), ...above('BURST', key.burst, workspace.burst)]
}
export const webhookAllowCidrs = cidrs('WEBHOOK_ALLOW_CIDRS', {
  default: [],
  description: 'Private addresses and ranges that webhooks may be sent to.',
  whenEmpty: 'none of them',
})
export const webhookHostPerSecond = integer('WEBHOOK_HOST_REQUESTS_PER_SECOND', {
  default: 1_000,
  min: 1,
  max: 1_000_000,
  description:
    'The maximum of requests a second that all webhooks of one workspace may send to one host, from each dispatcher. A host that has never responded with 2xx gets 50, and then one every 15 minutes.',
})

export const webhookAllowHttp = flag('WEBHOOK_ALLOW_HTTP', {
  default: false,
  description: 'Whether webhooks may be sent over plain http.',
})
export const trustedProxies = cidrs('TRUSTED_PROXIES', {
  default: [],
  description: 'Proxies whose X-Forwarded-For is trusted.',
  whenEmpty: 'none',
})
export const publicUrl = origin('PUBLIC_URL', {
  default: null,
  description:
    'The address that clients use, such as `https://api.example.com`. Downloads name it; MCP requests must then name its host, and its pages may send them.',
})
export const allowedOrigins = origins('ALLOWED_ORIGINS', {
  default: [],
  description:
    'Additional origins whose web pages may call MCP from a browser, such as `https://app.example.com`, separated by commas.',
  whenEmpty: 'no additional origins',
})
