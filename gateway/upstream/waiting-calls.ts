// The calls that wait for the answer of one address, each with its place in the list. Not a Set: one that changes with
// every call leaves tables behind, which hold on to whole requests until the old generation is collected.

export type WaitingCall = {
  /** In the list; -1 when it is in none. */
  place: number
  /** Called when the address is dead while another one is usable. */
  cancel(): void
}

export function addTo(list: WaitingCall[], call: WaitingCall): void {
  call.place = list.length
  list.push(call)
}

/** The last one takes its place. */
export function removeFrom(list: WaitingCall[], call: WaitingCall): void {
  const { place } = call
  if (place === -1) return
  call.place = -1
  const last = list.pop()
  if (last === undefined || last === call) return
  list[place] = last
  last.place = place
}

export function cancelAll(list: WaitingCall[]): void {
  const calls = list.splice(0)
  for (const call of calls) {
    call.place = -1
    call.cancel()
  }
}
