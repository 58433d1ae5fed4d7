import { expect, test } from 'vitest'
import { bodyMemory } from '../../../gateway/overload/request-bodies.ts'
import { openContext } from '../../../gateway/request/request-context.ts'

const call = () => openContext('r', null)
const noRoom = expect.objectContaining({
  code: 'unavailable',
  members: { retryAfterSeconds: 1, 'violated-policies': ['body-memory'] },
})

test('a key holds no more than its bound, all keys together no more than theirs, and what has ended is free', () => {
  const { countBytes } = bodyMemory({ all: 15, each: 10 })
  const [one, two, other] = [call(), call(), call()]
  const [ofOne, ofTwo, ofOther] = [countBytes('k', one), countBytes('k', two), countBytes('l', other)]
  ofOne(6)
  ofTwo(4)

  expect(() => ofTwo(1)).toThrow(noRoom)
  expect(() => ofOther(6)).toThrow(noRoom)
  ofOther(5)
  one.close(true)

  ofTwo(6)
  expect(() => ofTwo(1)).toThrow()
})

test('what comes after the end of its call is not held', () => {
  const { countBytes } = bodyMemory({ all: 10, each: 10 })
  const gone = call()
  const late = countBytes('k', gone)
  gone.close(false)

  late(10)

  expect(() => countBytes('k', call())(10)).not.toThrow()
})
