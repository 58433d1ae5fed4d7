// An authority and a certificate for loopback, made by the openssl of this machine as an operator would.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run-program.ts'

const ownKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']

export async function certificatesByOpenssl(folder: string) {
  const file = (name: string): string => join(folder, name)
  const openssl = async (...args: string[]): Promise<void> => {
    const { code, output } = await run(folder, 'openssl', ['req', '-x509', ...ownKey, ...args], {})
    if (code !== 0) throw new Error(output)
  }
  await openssl('-keyout', file('ca.key'), '-out', file('ca.crt'), '-subj', '/CN=Authority of the test')
  await openssl(
    ...['-keyout', file('server.key'), '-out', file('server.crt'), '-subj', '/CN=server'],
    ...['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-addext', 'subjectAltName=IP:127.0.0.1'],
  )
  const [cert, key] = ['server.crt', 'server.key'].map((name) => readFileSync(file(name), 'utf8')) as [string, string]
  return { cert, key, caFile: file('ca.crt'), certFile: file('server.crt'), keyFile: file('server.key') }
}
