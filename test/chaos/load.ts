// Changes by one tenant, as fast as is said, until they are stopped.
import { setTimeout as after } from 'node:timers/promises'
import { must, type Client } from '../support/client.ts'

export type Load = {
  readonly workspaceId: string
  /** The projects whose creation was answered. */
  readonly written: readonly string[]
  stop(): Promise<void>
}
export type LoadOptions = {
  /** Each change goes to all of these. */
  readonly receivers: readonly { readonly url: string }[]
  /** Calls; none are made at 0. */
  readonly perSecond?: number
  /** Projects in one call. */
  readonly perCall?: number
}

/** Resolves once the webhooks are there and the first call is made. */
export async function startLoad(
  client: Client,
  { receivers, perSecond = 20, perCall = 1 }: LoadOptions,
): Promise<Load> {
  const { api, workspaceId } = await client.tenant()
  for (const { url } of receivers)
    must(await api('POST', '/api/v1/webhooks', { name: 'Chaos', url, eventTypes: ['projects.*'] }))
  const written: string[] = []
  const write = async (n: number): Promise<void> => {
    const items = Array.from({ length: perCall }, (_, at) => ({
      action: 'create',
      data: { name: `Project ${n}.${at}` },
    }))
    const answer = await api('POST', '/api/v1/projects/batch', { items }).catch(() => null)
    if (answer?.status !== 200) return
    for (const { status, data } of answer.body.results) if (status === 201) written.push(data.id)
  }
  const stopping = new AbortController()
  const writing = (async () => {
    const under: Promise<void>[] = []
    for (let n = 0; perSecond > 0 && !stopping.signal.aborted; n++) {
      under.push(write(n))
      await after(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(under)
  })()
  return {
    workspaceId,
    written,
    stop: async () => {
      stopping.abort()
      await writing
    },
  }
}
