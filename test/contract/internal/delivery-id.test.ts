import fc from 'fast-check'
import { v7 as uuid, validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { deliveryId } from '#contract/internal/deliveries.ts'

const id = fc.integer({ min: 0, max: 2 ** 47 }).map((msecs) => uuid({ msecs }))

test('a delivery id is a UUID version 7 with the time of its event', () => {
  fc.assert(
    fc.property(id, id, (event, webhook) => {
      const made = deliveryId(event, webhook)
      expect(validate(made) && version(made)).toBe(7)
      expect(made.slice(0, 13)).toBe(event.slice(0, 13))
    }),
  )
})

test('the same event and webhook have the same delivery id, others have others', () => {
  fc.assert(
    fc.property(id, id, id, (event, webhook, other) => {
      expect(deliveryId(event, webhook)).toBe(deliveryId(event.toUpperCase(), webhook))
      if (other === webhook || other === event) return
      expect(deliveryId(event, webhook)).not.toBe(deliveryId(event, other))
      expect(deliveryId(event, webhook)).not.toBe(deliveryId(other, webhook))
    }),
  )
})
