// The bytes of files in a store that speaks S3's protocol: one request for each blob, signed (SigV4) and streamed.
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import { unavailable } from '#contract/faults/fault.ts'
import { transferMinutesMax } from '#contract/transfer.ts'
import type { BlobName, FileStore } from './store.ts'

export type S3Config = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

type Times = {
  /** Until the head of an answer, for an upload from when its last byte was sent. */
  readonly answerMs: number
}
const defaultTimes: Times = { answerMs: 15_000 }
const connectMs = 5_000
const silentMs = 30_000

export function s3Store(config: S3Config, { answerMs }: Times = defaultTimes): FileStore {
  const { endpoint, bucket, ...credentials } = config
  const agent = new Agent({ connect: { timeout: connectMs }, bodyTimeout: silentMs, headersTimeout: answerMs })

  /** Throws a Fault unless the answer has one of these statuses. */
  async function send(
    { workspaceId, id }: BlobName,
    method: 'PUT' | 'GET' | 'DELETE',
    statuses: readonly number[],
    {
      headers = {},
      ...more
    }: Omit<Partial<Dispatcher.RequestOptions>, 'headers'> & {
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<Dispatcher.ResponseData> {
    const url = `${endpoint.replace(/\/$/, '')}/${bucket}/${workspaceId}/${id}`
    const signed = await new AwsV4Signer({ ...credentials, url, method, service: 's3' }).sign()
    const { origin, pathname: path } = new URL(url)
    const all = { ...Object.fromEntries(signed.headers), ...headers }
    const answer = await agent
      .request({ origin, path, method, ...more, headers: all })
      .catch((error: unknown) => Promise.reject(unreachable(error)))
    if (statuses.includes(answer.statusCode)) return answer
    await answer.body.dump({ limit: 65_536 }).catch(() => {})
    throw unreachable(new Error(`S3 answered ${answer.statusCode} to ${method} ${path}`))
  }

  return {
    write: async (name, source, bytes, signal) => {
      const late = new AbortController()
      let timer: NodeJS.Timeout | undefined
      source.once('end', () => {
        timer = setTimeout(() => late.abort(new Error('S3 did not answer in time')), answerMs)
      })
      const headers = { 'content-length': String(bytes) }
      const until = AbortSignal.any([signal, late.signal])
      const sent = { headers, body: source, signal: until, headersTimeout: transferMinutesMax * 60_000 }
      try {
        const { body } = await send(name, 'PUT', [200], sent)
        await body.dump()
      } finally {
        clearTimeout(timer)
      }
    },
    read: async (name, range, signal): Promise<Readable> => {
      const headers = range === null ? {} : { range: `bytes=${range.start}-${range.end}` }
      const { body } = await send(name, 'GET', [range === null ? 200 : 206], { headers, signal })
      return body
    },
    remove: async (name) => {
      const { body } = await send(name, 'DELETE', [200, 204, 404], {})
      await body.dump()
    },
  }
}

const unreachable = (cause: unknown) => unavailable('The store of files cannot be reached. Try again.', cause)
