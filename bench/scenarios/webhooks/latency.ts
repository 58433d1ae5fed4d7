// From a written event to its first byte at the receiver, at a rate below what every process can do, and at half of
// what one dispatcher can do.
import { runProgram } from '../../measure/program.ts'
import { graceMs } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { eventLatency, latencyColumns, writtenFigures } from '../../product/event-latency.ts'
import { startSystem } from '../../product/webhook-system.ts'
import type { Plan as RawPosts } from '../../programs/raw-posts.ts'
import { spreadOf } from '../../report/figures.ts'
import type { Part } from '../../scenario.ts'
import { webhooksEach, webhooksEachWide, workspaces, type Setting } from './setting.ts'

const eventsPerSecond = 50
const peer = 'undici.request'
const secondsMax = 10

export const latency = (setting: Setting): Part => ({
  title: 'Latency',
  about:
    `${eventsPerSecond} projects a second are created at the service, each with ${webhooksEach} webhooks. *Written* is the event's \`occurredAt\`, taken when its change has the workspace's turn ` +
    'and rounded down to a millisecond. *Committed* is when its transaction has nothing left to do but to write its commit to the disk. *Answered* is when the caller has the answer: below zero where the receiver was told before the caller. ' +
    `First byte is when the receiver has the head of the request. One clock. The peer signs and sends the same body at the same rate of ${eventsPerSecond * webhooksEach} a second; its \`occurredAt\` is the moment before signing.`,
  columns: latencyColumns,
  peer,
  rows: [product(setting), raw(setting)],
})

const product = ({ narrow, seconds }: Setting): Row => ({
  name: 'service + dispatcher',
  measure: async () => {
    await using system = await startSystem(narrow)
    return await eventLatency(narrow, system, {
      eventsPerSecond,
      deliveriesEach: webhooksEach,
      seconds: Math.min(seconds, secondsMax),
    })
  },
})

const raw = ({ narrow: { receiver }, eventBody, seconds: wanted }: Setting): Row => ({
  name: peer,
  measure: async () => {
    const seconds = Math.min(wanted, secondsMax)
    const plan: RawPosts = {
      url: receiver.url,
      body: eventBody,
      warmSeconds: 0,
      seconds,
      concurrency: workspaces,
      perSecond: eventsPerSecond * webhooksEach,
    }
    await receiver.forget()
    await runProgram('raw-posts', 'measured', plan, seconds * 1_000 + graceMs)
    return writtenFigures(await receiver.arrivals())
  },
})

const busy = 'service + dispatcher, half of the highest rate'

/** After the part that has measured the highest. */
export const latencyAtHalf = (setting: Setting): Part => ({
  title: 'Latency at half of the highest rate',
  about: `As above, at half of the deliveries a second of the saturation. ${webhooksEachWide} webhooks in each workspace, so that the service, which has to share the machine, writes fewer events for them.`,
  columns: [{ figure: 'rate', title: 'deliveries/s', digits: 0 }, ...latencyColumns],
  rows: [{ name: busy, measure: () => atHalf(setting) }],
  goals: [
    { says: 'committed → first byte, p50 in ms,', own: { row: busy, figure: 'committed50' }, atMost: 15 },
    { says: 'committed → first byte, p99 in ms,', own: { row: busy, figure: 'committed99' }, atMost: 60 },
  ],
})

async function atHalf({ wide, seconds, highest }: Setting) {
  const eventsAtHalf = Math.round((spreadOf(highest)?.median ?? 0) / 2 / webhooksEachWide)
  await using system = await startSystem(wide)
  const figures = await eventLatency(wide, system, {
    eventsPerSecond: eventsAtHalf,
    deliveriesEach: webhooksEachWide,
    seconds: Math.min(seconds, secondsMax),
  })
  return { rate: eventsAtHalf * webhooksEachWide, ...figures }
}
