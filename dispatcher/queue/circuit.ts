// The circuit of a webhook, kept in its row of webhook_health: all dispatchers see the same, and a restart forgets nothing.
// Each answer of a receiver that is unwell counts one, each other answer takes one off. At five the circuit opens: nothing is
// sent for a while, and no delivery loses a try. Then whoever claims first sends one delivery, the probe. Answered, it closes
// the circuit; else the rest is twice as long.

/** Five in a row at once, and sooner or later a receiver that is unwell at every second request. */
export const opensAt = 5
export const restSecondsFirst = 30
export const restSecondsMax = 900
/** A probe of which nothing was heard for so long is lost, and another may be sent. Longer than any attempt. */
export const probeSeconds = 30
