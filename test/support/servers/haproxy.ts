// The balancer of the deployment, with its own configuration, before gateways of a test's.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, installed, launch, privateFolder, serve, type Server } from './server.ts'

const configuration = join(import.meta.dirname, '../../../deploy/haproxy.cfg')

export const haproxy = (): string | null => installed('/usr/sbin/haproxy', '/usr/local/sbin/haproxy')

/** From where it calls the gateways, so that these can tell it from a test's own calls. */
export const haproxyAddress = '127.0.0.9'

/** `addresses`: host and port of each gateway, in place of the name that stands for all of them in a deployment. */
export async function startHaproxy(program: string, addresses: readonly string[]): Promise<Server> {
  const port = await freePort()
  const folder = privateFolder('haproxy')
  const servers = addresses.map((address, at) => `  server gateway${at} ${address} source ${haproxyAddress}`)
  const text = readFileSync(configuration, 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/^ *server-template .*$/m, servers.join('\n'))
  return serve({
    name: 'haproxy',
    url: `http://127.0.0.1:${port}`,
    folder,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'haproxy.cfg'), text)
      return launch(program, ['-f', join(folder, 'haproxy.cfg')])
    },
    answers: async (url) => {
      const { ok } = await fetch(`${url}/balancer-health`)
      if (!ok) throw new Error('The balancer is not healthy')
    },
  })
}
