// The service with a certificate of its own, and a gateway that trusts its authority alone, as processes.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Server } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { readServerCertificate, renewServerCertificate } from '#runtime/certificates.ts'
import { certificate, type Certificate } from '../support/certificates.ts'
import { clientOf, must } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { runToEnd, start } from '../support/processes.ts'
import { freePort } from '../support/servers/server.ts'
import { modes } from '../support/system.ts'

const ip = '127.0.0.1'
const authority = certificate('An authority', { ip, isAuthority: true })
const signed = (name: string): Certificate => certificate(name, { ip, signedBy: authority })
const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const filesOf = (name: string, { cert, key }: Certificate) => ({
  tlsCertificateFile: fileOf(`${name}.crt`, cert),
  tlsKeyFile: fileOf(`${name}.key`, key),
})
const environmentOf = ({ tlsCertificateFile, tlsKeyFile }: ReturnType<typeof filesOf>) => ({
  TLS_CERTIFICATE_FILE: tlsCertificateFile,
  TLS_KEY_FILE: tlsKeyFile,
})

test.runIf(modes.includes('distributed'))(
  'a gateway with the authority of the service calls it over https; one with another authority has no service',
  async () => {
    await using opened = new AsyncDisposableStack()
    const { env, operatorToken, close } = await openStores()
    opened.defer(close)
    const port = String(await freePort())
    const own = environmentOf(filesOf('service', signed('service')))
    opened.use(await start('service/main.ts', { ...env, ...own, PORT: port }, undefined, null))
    const SERVICE_URLS = `https://${ip}:${port}`
    const ofAnother = fileOf('another.crt', certificate('Another', { ip, isAuthority: true }).cert)
    const stranger = { ...env, SERVICE_URLS, SERVICE_CA_FILE: ofAnother }
    const SERVICE_CA_FILE = fileOf('authority.crt', authority.cert)
    const gateway = opened.use(await start('gateway/main.ts', { ...env, SERVICE_URLS, SERVICE_CA_FILE }))

    const tenant = await clientOf(gateway.url, operatorToken).tenant()
    must(await tenant.api('POST', '/api/v1/projects', { name: 'One' }))
    must(await tenant.api('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }))

    const stream = `/settings/api/workspaces/${tenant.workspaceId}/events/stream`
    const authorization = `Bearer ${operatorToken}`
    const followed = await fetch(gateway.url + stream, { headers: { authorization } })
    expect([followed.status, followed.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    await followed.body?.cancel()

    const other = opened.use(await start('gateway/main.ts', stranger, undefined, '/health'))
    const refused = await clientOf(other.url, operatorToken).operator('GET', '/settings/api/workspaces')
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    await expect(fetch(`http://${ip}:${port}/ready`)).rejects.toThrow()
  },
)

test('what is wrong with the files is said at the start, with the name of the setting', async () => {
  const [one, other] = [filesOf('one', signed('one')), filesOf('other', signed('other'))]
  const secrets = { INTERNAL_SECRET: 'x'.repeat(32), OPERATOR_TOKEN: 'y'.repeat(32) }
  const service = { ...secrets, DATABASE_URL: 'postgres://127.0.0.1:1/x', AMQP_URL: 'amqp://127.0.0.1:1' }
  const ofService = { ...service, REDIS_URL: 'redis://127.0.0.1:1' }
  const gateway = { ...secrets, SERVICE_URLS: 'https://127.0.0.1:1', PORT: '0' }
  const { TLS_KEY_FILE, TLS_CERTIFICATE_FILE } = environmentOf(one)

  const ended = await Promise.all([
    runToEnd('service/main.ts', { ...ofService, TLS_CERTIFICATE_FILE }),
    runToEnd('service/main.ts', { ...ofService, TLS_CERTIFICATE_FILE, TLS_KEY_FILE: other.tlsKeyFile }),
    runToEnd('service/main.ts', { ...ofService, TLS_KEY_FILE, TLS_CERTIFICATE_FILE: join(folder, 'none') }),
    runToEnd('gateway/main.ts', { ...gateway, SERVICE_CA_FILE: TLS_KEY_FILE }),
    runToEnd('gateway/main.ts', { ...gateway, SERVICE_URLS: 'http://127.0.0.1:1', SERVICE_CA_FILE: TLS_KEY_FILE }),
  ])

  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [78, 'TLS_CERTIFICATE_FILE is given without TLS_KEY_FILE\n'],
    [1, expect.stringMatching(/^TLS_CERTIFICATE_FILE .* and TLS_KEY_FILE .* are not a certificate and its key.*\n$/)],
    [1, expect.stringMatching(/^TLS_CERTIFICATE_FILE cannot be read: .*none.*\n$/)],
    [1, expect.stringMatching(/^SERVICE_CA_FILE .* holds no certificate in PEM\.\n$/)],
    [78, 'SERVICE_CA_FILE is given, and not every address in SERVICE_URLS begins with https://\n'],
  ])
})

test('a renewed certificate is shown on new connections without a restart; one that is broken is logged once, and not shown', async () => {
  const settings = filesOf('renewed', signed('before'))
  const said: string[] = []
  const log = { info: (_: object, text: string) => said.push(text), warn: (_: object, text: string) => said.push(text) }
  const server = createServer(readServerCertificate(settings) ?? {}).listen(0, ip)
  await once(server, 'listening')
  const renewal = renewServerCertificate(server, settings, log as never, 5)
  await using _closed = { [Symbol.asyncDispose]: async () => void (await renewal.close(), server.close()) }

  expect(await nameShown(server)).toBe('before')
  fileOf('renewed.crt', 'half a cert')
  await eventually(() => said.length > 0, 'the warning')
  expect(await nameShown(server)).toBe('before')
  filesOf('renewed', signed('after'))
  await eventually(async () => (await nameShown(server)) === 'after', 'the new one')

  expect(said).toEqual(['the changed certificate cannot be used, the last one stays', 'the certificate was renewed'])
})

/** The name in the certificate that a new connection is shown. */
async function nameShown(server: Server): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: ip, ca: authority.cert })
  await once(socket, 'secureConnect')
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return CN
}
