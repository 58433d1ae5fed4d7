// The description, made once by a worker. A worker that failed is followed by another one at the next call.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { File } from './file.ts'

export type Description = { readonly json: File; readonly yaml: File; readonly settings: File }

const worker = new URL('./openapi-worker.ts', import.meta.url)

export function describing(script = worker): () => Promise<Description> {
  let made: Promise<Description> | undefined
  return () => (made ??= describe(script).catch((error: unknown) => ((made = undefined), Promise.reject(error))))
}

async function describe(script: URL): Promise<Description> {
  const thread = new Worker(script)
  const [description] = (await once(thread, 'message')) as [Description]
  return description
}
