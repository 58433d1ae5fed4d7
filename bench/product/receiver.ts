// The receiver program, as the bench talks to it.
import { serveProgram, type Server } from '../measure/program.ts'
import { until } from '../measure/wait-until.ts'
import type { Arrival } from '../programs/receiver.ts'

export type Receiver = Server & {
  count(): Promise<number>
  /** Resolves once so many have come. */
  reached(count: number, withinMs: number): Promise<void>
  arrivals(): Promise<readonly Arrival[]>
  forget(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = await serveProgram('receiver', 'load', {})
  const ask = async <T>(path: string, method = 'GET') =>
    (await (await fetch(server.url + path, { method })).json()) as T
  const count = async () => (await ask<{ count: number }>('/count')).count
  return {
    ...server,
    count,
    reached: async (wanted, withinMs) =>
      void (await until(`${wanted} deliveries`, withinMs, async () => ((await count()) >= wanted ? true : null))),
    arrivals: async () => (await ask<{ arrivals: Arrival[] }>('/arrivals')).arrivals,
    forget: async () => void (await ask('/', 'DELETE')),
  }
}
