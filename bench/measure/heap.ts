// What a process of Node still holds once its garbage is collected. RSS alone does not tell: V8 lets garbage lie for as
// long as the machine has memory. By the inspector, which the process opens when it gets SIGUSR1.
import { once } from 'node:events'
import { withTimeout } from '#runtime/timeouts.ts'
import { until } from './wait-until.ts'

/** What its environment needs. */
export const inspectable = (port: number): Record<string, string> => ({
  NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}`,
})

const opensWithinMs = 5_000
const answersWithinMs = 10_000

/** MiB. It stands still meanwhile, for less than a second. */
export async function heldHeap(pid: number, port: number): Promise<number> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await until('the inspector', opensWithinMs, () => address(port)))
  try {
    await withTimeout(opensWithinMs, once(socket, 'open'), 'The inspector does not answer')
    // What the first has made free may hold others.
    for (let times = 0; times < 2; times++) await ask(socket, 'HeapProfiler.collectGarbage')
    const { usedSize } = (await ask(socket, 'Runtime.getHeapUsage')) as { usedSize: number }
    return usedSize / 2 ** 20
  } finally {
    socket.close()
  }
}

async function address(port: number): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null)
  const [target] = answer === null ? [] : ((await answer.json()) as { webSocketDebuggerUrl: string }[])
  return target?.webSocketDebuggerUrl ?? null
}

/** One question at a time. */
async function ask(socket: WebSocket, method: string): Promise<unknown> {
  socket.send(JSON.stringify({ id: 1, method }))
  const answered = once(socket, 'message') as Promise<[MessageEvent]>
  const [{ data }] = await withTimeout(answersWithinMs, answered, `${method} is not answered`)
  return (JSON.parse(String(data)) as { result: unknown }).result
}
