// The balancer of the deployment, with its own configuration, before gateways of a test's.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort, installed, launch, privateFolder, serve, type Server } from './server.ts'

const configuration = join(import.meta.dirname, '../../../deploy/haproxy.cfg')

export const haproxy = (): string | null => installed('/usr/sbin/haproxy', '/usr/local/sbin/haproxy')

/** From where it calls the gateways, so that these can tell it from a test's own calls. */
export const haproxyAddress = '127.0.0.9'

export type Balancer = Server & { readonly secureUrl: string | null }

/**
 * `addresses`: host and port of each gateway, in place of the name that stands for all of them in a deployment. With a
 * certificate it speaks HTTP/2 over TLS too, at a port of its own, and there nothing else.
 */
export async function startHaproxy(
  program: string,
  addresses: readonly string[],
  certificate?: Certificate,
): Promise<Balancer> {
  const port = await freePort()
  const securePort = certificate === undefined ? null : await freePort()
  const folder = privateFolder('haproxy')
  const servers = addresses.map((address, at) => `  server gateway${at} ${address} source ${haproxyAddress}`)
  const pem = join(folder, 'certificate.pem')
  const secureBind = securePort === null ? [] : [`bind 127.0.0.1:${securePort} ssl crt ${pem} alpn h2`]
  const text = readFileSync(configuration, 'utf8')
    .replace('bind :8080', [`bind 127.0.0.1:${port}`, ...secureBind].join('\n  '))
    .replace(/^ *server-template .*$/m, servers.join('\n'))
  const server = await serve({
    name: 'haproxy',
    url: `http://127.0.0.1:${port}`,
    folder,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'haproxy.cfg'), text)
      if (certificate !== undefined) writeFileSync(pem, certificate.cert + certificate.key, { mode: 0o600 })
      return launch(program, ['-f', join(folder, 'haproxy.cfg')])
    },
    answers: async (url) => {
      const { ok } = await fetch(`${url}/balancer-health`)
      if (!ok) throw new Error('The balancer is not healthy')
    },
  })
  return { ...server, secureUrl: securePort === null ? null : `https://127.0.0.1:${securePort}` }
}
