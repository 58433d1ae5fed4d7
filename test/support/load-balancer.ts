// A load balancer: it polls each address for readiness, and sends calls to the ready ones in turn. As with
// deploy/haproxy.cfg, one answer that comes late takes no address out: on a busy machine it may be the only one left.
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from './eventually.ts'

const askEveryMs = 100
const askWithinMs = 1_000
const readyWithinMs = 30_000
const lateUntilOut = 2

type Balancer = Disposable & {
  add(url: string): Promise<void>
  /** Resolves once it sends calls to this address. */
  takes(url: string): Promise<void>
  /** The next address that is ready. */
  next(): string
}

/** Why it gets no calls: null while it is ready. */
type Member = { refusal: string | null; late: number }

export function openBalancer(): Balancer {
  const members = new Map<string, Member>()
  let isOpen = true
  let turn = 0
  async function poll(url: string, member: Member): Promise<void> {
    while (isOpen) {
      const answer = await ask(url)
      member.late = answer === 'late' ? member.late + 1 : 0
      if (answer !== 'late' || member.late >= lateUntilOut) member.refusal = answer
      await delay(askEveryMs)
    }
  }
  const takes = async (url: string): Promise<void> =>
    void (await eventually(() => members.get(url)?.refusal === null, `${url} to be ready`, readyWithinMs))
  return {
    add: (url) => {
      const member: Member = { refusal: 'not asked yet', late: 0 }
      members.set(url, member)
      void poll(url, member)
      return takes(url)
    },
    takes,
    next: () => {
      const urls = [...members].flatMap(([url, { refusal }]) => (refusal === null ? [url] : []))
      const url = urls[turn++ % urls.length]
      if (url === undefined) throw new Error(`No address is ready: ${JSON.stringify(Object.fromEntries(members))}`)
      return url
    },
    [Symbol.dispose]: () => void (isOpen = false),
  }
}

/** Null when it is ready, `late` when it has not said in time. */
async function ask(url: string): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(askWithinMs) })
    const text = await answer.text()
    return answer.ok ? null : text
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return 'late'
    return String((error as Error).cause ?? error)
  }
}
