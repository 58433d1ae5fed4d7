// A load balancer: it polls each address for readiness, and sends calls to the ready ones in turn.
import { eventually } from './eventually.ts'

const askEveryMs = 100
const askWithinMs = 1_000
const readyWithinMs = 30_000

type Balancer = Disposable & {
  add(url: string): Promise<void>
  /** Resolves once it sends calls to this address. */
  takes(url: string): Promise<void>
  /** The next address that is ready. */
  next(): string
}

export function openBalancer(): Balancer {
  const ready = new Map<string, boolean>()
  let turn = 0
  const ask = async (url: string): Promise<void> => {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(askWithinMs) }).catch(() => null)
    await answer?.body?.cancel()
    if (ready.has(url)) ready.set(url, answer?.ok === true)
  }
  const takes = async (url: string): Promise<void> =>
    void (await eventually(() => ready.get(url), `${url} to be ready`, readyWithinMs))
  const asking = setInterval(() => [...ready.keys()].forEach((url) => void ask(url)), askEveryMs)
  return {
    add: (url) => {
      ready.set(url, false)
      return takes(url)
    },
    takes,
    next: () => {
      const urls = [...ready].flatMap(([url, isReady]) => (isReady ? [url] : []))
      const url = urls[turn++ % urls.length]
      if (url === undefined) throw new Error('No address is ready')
      return url
    },
    [Symbol.dispose]: () => clearInterval(asking),
  }
}
