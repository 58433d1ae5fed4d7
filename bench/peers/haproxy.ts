// haproxy as a peer of the gateway: keys in a map, limits in a stick table. It knows neither scopes nor the age of
// keys.
import type { Key } from '../product/keys.ts'

type Parts = { readonly port: number; readonly origin: string; readonly mapFile: string }

/** Text of the map: a line for each key, with its id and workspace. */
export const keyMap = (keys: readonly Key[]): string =>
  keys.map(({ hash, record }) => `${hash} ${record.id}:${record.workspaces[0]?.id}`).join('\n')

const refuse = (status: number, condition: string): string =>
  `http-request return status ${status} content-type application/problem+json string '{"status":${status}}' ${condition}`

/** Text of the configuration file. */
export const haproxy = ({ port, origin, mapFile }: Parts): string => `global
  nbthread 1
  maxconn 8192
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-request 10s
  http-reuse always
backend st_key
  stick-table type string len 64 size 100k expire 60s store http_req_rate(1s)
frontend fe
  bind 127.0.0.1:${port}
  http-request set-var(txn.h) req.hdr(authorization),word(2,' '),sha2(256),hex,lower
  http-request set-var(txn.rec) var(txn.h),map_str(${mapFile})
  ${refuse(401, 'if !{ var(txn.rec) -m found }')}
  ${refuse(403, 'if !{ src 127.0.0.0/8 10.0.0.0/8 }')}
  ${refuse(413, 'if { req.hdr(content-length) -m int gt 1048576 }')}
  http-request track-sc0 var(txn.rec),field(1,:) table st_key
  ${refuse(429, 'if { sc_http_req_rate(0) gt 1000000 }')}
  http-request del-header authorization
  http-request set-header x-key-id %[var(txn.rec),field(1,:)]
  http-request set-header x-forwarded-for %[src]
  default_backend origin
backend origin
  server o ${new URL(origin).host} maxconn 512 pool-max-conn 256
`
