// A store that speaks S3's protocol, as far as one request for each object goes: a second implementation, which checks
// the signature of each request by itself, and can be made to fail.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const accessKeyId = 'key-of-the-tests'
const secretAccessKey = 'secret-of-the-tests'
const [bucket, region] = ['files', 'eu-test-1']

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** By the description of Signature Version 4. */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, id, day = '', where = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const own = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const hashed = String(headers['x-amz-content-sha256'])
  const canonical = [method, url, '', own.join(''), names, hashed].join('\n')
  const scope = `${day}/${where}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [day, where, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  return id === accessKeyId && where === region && hmac(key, text).toString('hex') === signature
}

export type S3Server = AsyncDisposable & {
  readonly config: Readonly<Record<'endpoint' | 'bucket' | 'region' | 'accessKeyId' | 'secretAccessKey', string>>
  readonly objects: Map<string, Buffer>
  /** What it does from now on. */
  behave(how: 'well' | 'fails' | 'hangs'): void
}

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  let behaviour = 'well'
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request
    const answer = (status: number, body: Buffer | string = '', more = {}) => response.writeHead(status, more).end(body)
    const found = objects.get(url)
    if (behaviour === 'hangs') request.resume()
    else if (behaviour === 'fails') answer(500)
    else if (!isSigned(request)) answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    else if (method === 'PUT')
      void buffer(request).then(
        (bytes) => {
          objects.set(url, bytes)
          answer(200)
        },
        () => {},
      )
    else if (method === 'DELETE') {
      objects.delete(url)
      answer(204)
    } else if (found === undefined) answer(404)
    else {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
      if (start === undefined) answer(200, found)
      else answer(206, found.subarray(Number(start), Number(end) + 1))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    config: { endpoint: `http://127.0.0.1:${port}`, bucket, region, accessKeyId, secretAccessKey },
    objects,
    behave: (how) => {
      behaviour = how
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
