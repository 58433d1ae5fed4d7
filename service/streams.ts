// Every stream bound to what feeds it: a missing or a wrong one does not compile.
import type { KeyObject } from 'node:crypto'
import { streams, type StreamName, type StreamNamed } from '#contract/api.ts'
import { followDeliveries } from './deliveries/follow.ts'
import type { DeliveryWatch } from './deliveries/watch.ts'
import { followEvents } from './events/follow-events.ts'
import type { LongPoll } from './events/long-poll.ts'
import type { Follow } from './live/follow.ts'
import type { Followed } from './live/serve-streams.ts'

type Parts = {
  readonly longPoll: Pick<LongPoll, 'waitForEvents'>
  readonly deliveryWatch: DeliveryWatch
  readonly positionKey: KeyObject
}
type Follows = { readonly [N in StreamName]: Follow<StreamNamed<N>> }

export function streamsWith({ longPoll, deliveryWatch, positionKey }: Parts): Followed[] {
  const follows: Follows = {
    'deliveries.stream': followDeliveries(deliveryWatch, positionKey),
    'events.stream': followEvents(longPoll),
  }
  // The input of each is validated by the stream that it is bound to by name.
  return streams.map((stream) => ({ stream, follow: follows[stream.asked.name] as Follow<typeof stream> as never }))
}
