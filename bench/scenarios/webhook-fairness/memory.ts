// What a dispatcher holds in memory for deliveries that wait in the ledger.
import { setTimeout as after } from 'node:timers/promises'
import { memoryOver } from '../../measure/memory.ts'
import { startSystem, type Seeded } from '../../product/webhook-system.ts'
import { quantile } from '../../report/figures.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'
import { hangingEach, pendingRows, workspaces, type Setting } from './setting.ts'

const lookEveryMs = 100
const lookSeconds = 20
const settledSeconds = 5
const idleRow = 'nothing pending'
const pendingRow = `${pendingRows.toLocaleString('en-US')} pending`
const moreMebibytesMax = 50

const columns: readonly Column[] = [
  { figure: 'settled', title: 'RSS MiB, settled', digits: 0, added: true },
  { figure: 'ownSettled', title: 'of its own', digits: 0, added: true },
  { figure: 'peak', title: 'peak', digits: 0, added: true },
]

export const pendingMemory = ({ idle, pending }: Setting): Part => ({
  title: 'Memory of what waits',
  about:
    `A dispatcher starts, and is looked at every ${lookEveryMs} ms for ${lookSeconds} s: with ${workspaces * hangingEach} webhooks that hang and nothing to send, and with ${pendingRows.toLocaleString('en-US')} deliveries that are due for them. ` +
    `*Settled* is the least of the last ${settledSeconds} s, when garbage was collected; *of its own* is that without the files which the process maps. Once, not in rounds.`,
  columns,
  peer: idleRow,
  roundsMax: 1,
  rows: [
    { name: idleRow, measure: () => measure(idle) },
    { name: pendingRow, measure: () => measure(pending) },
  ],
  goals: (['settled', 'peak'] as const).map((figure) => ({
    says: `MiB more for what is pending, ${figure},`,
    own: { row: pendingRow, figure },
    less: { row: idleRow, figure },
    atMost: moreMebibytesMax,
  })),
})

async function measure(seeded: Seeded): Promise<Sample> {
  await using system = await startSystem(seeded)
  const pid = system.dispatchers[0]?.pid ?? 0
  const over = new AbortController()
  const looking = memoryOver(pid, lookEveryMs, over.signal)
  await after(lookSeconds * 1_000)
  over.abort()
  const looks = await looking
  const last = looks.slice(-(settledSeconds * 1_000) / lookEveryMs)
  const least = (of: 'rss' | 'own') =>
    quantile(
      last.map((look) => look[of]),
      0,
    )
  return {
    settled: least('rss'),
    ownSettled: least('own'),
    peak: quantile(
      looks.map(({ rss }) => rss),
      1,
    ),
  }
}
