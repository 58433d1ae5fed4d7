// express-gateway as a peer of the gateway. Limits are so high that they are counted and never reached.
import { createRequire } from 'node:module'

/** By address is its default; by consumer it runs a template in a context of its own for each request. */
export type LimitBy = 'address' | 'consumer'
type Parts = {
  readonly port: number
  readonly adminPort: number
  readonly origin: string
  readonly limitBy: LimitBy
}

export const packageName = 'express-gateway'

export function isExpressGatewayThere(): boolean {
  try {
    return createRequire(import.meta.url).resolve(packageName) !== ''
  } catch {
    return false
  }
}

/** Text of gateway.config.yml. Without `delayMs` it would delay every request after the first by a second more. */
export const gatewayConfig = ({ port, adminPort, origin, limitBy }: Parts): string => `
http: { port: ${port}, hostname: 127.0.0.1 }
admin: { port: ${adminPort}, host: 127.0.0.1 }
apiEndpoints: { api: { host: '*', paths: '/*' } }
serviceEndpoints: { origin: { url: '${origin}' } }
policies: [ proxy, key-auth, rate-limit ]
pipelines:
  main:
    apiEndpoints: [ api ]
    policies:
      - key-auth:
          - action: { apiKeyHeader: x-api-key, disableHeadersScheme: true }
      - rate-limit:
          - action: { max: 100000000, windowMs: 60000, delayMs: 0${limitBy === 'consumer' ? ', rateLimitBy: "${req.user.id}"' : ''} }
      - proxy:
          - action: { serviceEndpoint: origin, changeOrigin: true }
`

/** Text of system.config.yml. */
export function systemConfig(redis: string, namespace: string): string {
  const { hostname, port, password } = new URL(redis)
  const access = password === '' ? '' : `, password: '${password}'`
  return `
db: { redis: { emulate: false, host: ${hostname}, port: ${port || 6379}${access}, namespace: ${namespace} } }
plugins: {}
crypto: { cipherKey: sensitiveKey, algorithm: aes256, saltRounds: 10 }
session: { secret: bench, resave: false, saveUninitialized: false }
accessTokens: { timeToExpiry: 7200000 }
refreshTokens: { timeToExpiry: 7200000 }
authorizationCodes: { timeToExpiry: 300000 }
`
}
