// A round-robin balancer over the gateways whose last health check said that they are ready.
const askEveryMs = 200
const askWithinMs = 1_000

export function balancerOf(addresses: () => readonly string[]): Disposable & { next(): string } {
  const unready = new Set<string>()
  let turn = 0
  const ask = async (url: string): Promise<void> => {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(askWithinMs) }).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok === true) unready.delete(url)
    else unready.add(url)
  }
  const asking = setInterval(() => addresses().forEach((url) => void ask(url)), askEveryMs)
  const next = (): string => {
    const ready = addresses().filter((url) => !unready.has(url))
    return ready[turn++ % ready.length] ?? ''
  }
  return { next, [Symbol.dispose]: () => clearInterval(asking) }
}
