// The headers of a delivery, and the one by which its answer may ask for something. `brand` is the setting of the
// installation. Sender, descriptions and documents take the names from here.

/** Sent by Standard Webhooks under these names everywhere. */
export const standardHeaders = {
  deliveryId: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/** Of W3C Trace Context: the trace of the call that the event tells of. */
export const traceHeader = 'traceparent'

const prefix = (brand: string) => `x-${brand}-`
const own = {
  event: 'event',
  deliveryId: 'delivery-id',
  timestamp: 'signature-timestamp',
  signature: 'signature',
} as const

type OwnHeaders = Readonly<Record<keyof typeof own, string>>

export const ownHeaders = (brand: string): OwnHeaders => ({
  event: prefix(brand) + own.event,
  deliveryId: prefix(brand) + own.deliveryId,
  timestamp: prefix(brand) + own.timestamp,
  signature: prefix(brand) + own.signature,
})

/** Without the prefix of the brand: no header of a webhook's own is called so, whatever the brand. */
export const ownHeaderNames: readonly string[] = Object.values(own)

/** In an answer: what the receiver asks for, one of `receiverCommands`. */
export const commandHeader = (brand: string): string => `${prefix(brand)}webhook`

/** What a receiver may ask for, when that counts, and what follows. Other values are no command. */
export const receiverCommands = {
  disable: {
    onStatus: 'any status',
    effect: 'the status counts as it does without; then the webhook is disabled, with the reason that you requested it',
  },
  abort: {
    onStatus: 'anything but 2xx',
    effect: 'a dead letter at once (`aborted`), which you can resend',
  },
} as const
export type ReceiverCommand = keyof typeof receiverCommands

export const isReceiverCommand = (value: string | undefined): value is ReceiverCommand =>
  value !== undefined && Object.hasOwn(receiverCommands, value)
