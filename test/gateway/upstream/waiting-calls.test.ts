// Calls that wait for one address, with a position each.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTo, cancelAll, removeFrom, type WaitingCall } from '../../../gateway/upstream/address-pool.ts'

const callThat = (cancel: () => void): WaitingCall => ({ position: -1, cancel })

test('whatever order calls come and go in, those that wait are cancelled once each, and no others', () => {
  const steps = fc.array(fc.record({ call: fc.nat({ max: 9 }), isAdded: fc.boolean() }), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (taken) => {
      const cancelled: number[] = []
      const calls = Array.from({ length: 10 }, (_, at) => callThat(() => cancelled.push(at)))
      const [list, expected] = [[] as WaitingCall[], new Set<number>()]
      for (const { call, isAdded } of taken) {
        if (isAdded && !expected.has(call)) addTo(list, calls[call]!)
        if (!isAdded) removeFrom(list, calls[call]!)
        if (isAdded) expected.add(call)
        else expected.delete(call)
      }

      cancelAll(list)

      expect(new Set(cancelled)).toEqual(expected)
      expect(cancelled).toHaveLength(expected.size)
      expect(list).toEqual([])
    }),
  )
})

test('a call that was cancelled can be taken back, and nobody else loses a position', () => {
  const list: WaitingCall[] = []
  const [first, second] = [callThat(() => {}), callThat(() => {})]
  addTo(list, first)
  cancelAll(list)
  addTo(list, second)

  removeFrom(list, first)

  expect(list).toEqual([second])
})
