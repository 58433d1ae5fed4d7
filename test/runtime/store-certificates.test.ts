// RabbitMQ and Redis over TLS: certificates that are not to be trusted are refused, and what is wrong is said. Which
// are accepted, with servers of their own: test/system/permissions.test.ts.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { brokerAt } from '#runtime/broker-connection.ts'
import { brokerLog } from '#runtime/broker-log.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor } from '#runtime/broker-names.ts'
import { openRedis, openRedisPublisher, redisLog } from '#runtime/redis.ts'
import { certificate } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'

const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))
const ip = '127.0.0.1'
const authority = certificate('authority', { ip, isAuthority: true })
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, authority.cert)

const signedBy = authority
const kinds = {
  'of another authority': [certificate('server', { ip }), /self-signed certificate/],
  'that has expired': [certificate('server', { ip, signedBy, expired: true }), /certificate has expired/],
  'of another address': [certificate('server', { ip: '127.0.0.2', signedBy }), /IP: 127\.0\.0\.1 is not in the cert/],
  'that is none, since it speaks no TLS': [null, /there is no TLS at this port/],
} as const
/** Sends what no client waits for. */
const plain = (): Server => createPlainServer((socket) => socket.on('error', () => {}).end('AMQP\0\0\t\u0001'))

test.each(Object.entries(kinds))('a server with a certificate %s is sent no password', async (_kind, [shown, why]) => {
  const got: string[] = []
  const server =
    shown === null ? plain() : createServer(shown, (socket) => socket.on('data', (sent) => got.push(String(sent))))
  server.on('tlsClientError', () => {})
  server.listen(0, ip)
  await once(server, 'listening')
  const at = `user:password@${ip}:${(server.address() as AddressInfo).port}`
  const said: string[] = []
  const log = { info: () => {}, warn: (_about: unknown, text: string) => void said.push(text) }

  const broker = brokerAt(`amqps://${at}/?cacertfile=${caFile}`)
  const publisher = await openPublisher(broker, namesFor('test'), brokerLog(log as never))
  const redis = openRedisPublisher(`rediss://${at}/?cacertfile=${caFile}`, 'test', redisLog(log as never))
  const ofEach = ['RabbitMQ', 'Redis'].map((name) => new RegExp(`^the certificate of ${name} is not accepted \\(`))
  await eventually(() => ofEach.every((words) => said.some((line) => words.test(line))), 'both')
  await Promise.all([publisher.close(), redis.close()])
  server.close()

  for (const line of said) expect(line).toMatch(why)
  expect(got).toEqual([])
})

test('a file of authorities that is not there, or holds none, is a sentence at the start', () => {
  const empty = join(folder, 'empty.pem')
  writeFileSync(empty, '')
  const opening = {
    AMQP_URL: (file: string) => brokerAt(`amqps://h?cacertfile=${file}`),
    REDIS_URL: (file: string) => openRedis(`rediss://h?cacertfile=${file}`),
  }

  for (const [name, open] of Object.entries(opening)) {
    expect(() => open('/none.pem')).toThrow(new RegExp(`^cacertfile of ${name} cannot be read: ENOENT`))
    expect(() => open(empty)).toThrow(`cacertfile of ${name} (${empty}) holds no certificate in PEM.`)
  }
})
