// nginx as a peer of the gateway: bare, and as an operator would put a policy in front of an API with it.

const events =
  'worker_processes 1; master_process off; daemon off; error_log stderr crit; events { worker_connections 4096; }'
const http =
  'access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; server_tokens off; default_type application/json;'
const forwarded =
  'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header X-Forwarded-For $remote_addr; proxy_pass http://origin;'

type Bare = { readonly port: number; readonly origin: string; readonly folder: string }

const upstream = (name: string, url: string): string =>
  `upstream ${name} { server ${new URL(url).host}; keepalive 256; keepalive_requests 1000000000; }`

const temporary = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')

/** Text of the configuration file. */
export const bareNginx = ({ port, origin, folder }: Bare): string => `${events} pid ${folder}/pid;
http { ${http} ${temporary(folder)} ${upstream('origin', origin)}
  server { listen 127.0.0.1:${port} backlog=4096; location / { ${forwarded} } }
}`

/** Each request is asked about at the auth service, and counted by key. */
export const nginxWithAuth = ({ port, origin, folder, auth }: Bare & { readonly auth: string }): string =>
  `${events} pid ${folder}/pid;
http { ${http} ${temporary(folder)} ${upstream('origin', origin)} ${upstream('auth', auth)}
  limit_req_zone $http_authorization zone=perkey:10m rate=1000000r/s;
  server { listen 127.0.0.1:${port} backlog=4096; client_max_body_size 1m;
    location / {
      auth_request /_auth; auth_request_set $key_id $upstream_http_x_key_id;
      limit_req zone=perkey burst=100000 nodelay; limit_req_status 429;
      ${forwarded} proxy_set_header Authorization ""; proxy_set_header X-Key-Id $key_id;
    }
    location = /_auth {
      internal; proxy_pass http://auth; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_pass_request_body off; proxy_set_header Content-Length "";
      proxy_set_header X-Original-Method $request_method; proxy_set_header X-Real-IP $remote_addr;
    }
  }
}`
