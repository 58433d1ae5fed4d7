import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { bodyMemory } from '../../../gateway/overload/body-memory-limit.ts'

/** A response as far as it is looked at. */
function response() {
  const events = new EventEmitter()
  const given = Object.assign(events, { closed: false })
  const close = () => {
    given.closed = true
    events.emit('close')
  }
  return { raw: given as unknown as ServerResponse, close }
}

test('a key holds no more than its bound, all keys together no more than theirs, and what has ended is free', () => {
  const { countBytes } = bodyMemory({ all: 15, each: 10 })
  const [one, two, other] = [response(), response(), response()]
  const [ofOne, ofTwo, ofOther] = [countBytes('k', one.raw), countBytes('k', two.raw), countBytes('l', other.raw)]
  ofOne(6)
  ofTwo(4)

  expect(() => ofTwo(1)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  expect(() => ofOther(6)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  ofOther(5)
  one.close()

  ofTwo(6)
  expect(() => ofTwo(1)).toThrow()
})

test('what comes after the end of its call is not held', () => {
  const { countBytes } = bodyMemory({ all: 10, each: 10 })
  const gone = response()
  const late = countBytes('k', gone.raw)
  gone.close()

  late(10)

  expect(() => countBytes('k', response().raw)(10)).not.toThrow()
})
