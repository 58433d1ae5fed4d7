import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answeredType, isOfType } from '../../../service/files/rules.ts'

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

test.each([
  ['application/pdf', 'application/pdf', true],
  ['application/pdf', null, false],
  ['image/jpg', 'image/jpeg', true],
  ['image/png', 'image/jpeg', false],
  [docx, 'application/zip', true],
  [docx, 'application/x-cfb', false],
  ['application/msword', 'application/x-cfb', true],
  ['image/svg+xml', 'application/xml', true],
  ['audio/mpeg', 'video/mp4', true],
  ['audio/mpeg', null, true],
  ['text/csv', null, true],
  ['text/csv', 'application/x-msdownload', false],
  ['application/x-own', null, true],
  ['application/x-own', 'image/png', false],
  ['application/octet-stream', 'application/x-msdownload', true],
])('bytes announced as %s that look like %s: taken %s', (announced, detected, taken) => {
  expect(isOfType(announced, detected)).toBe(taken)
})

test('whatever was announced or found, nothing that a browser runs is answered as such', () => {
  const word = fc.stringMatching(/^[a-z0-9.+-]{1,20}$/)
  const active = fc.constantFrom('html', 'svg', 'xml', 'javascript', 'ecmascript', 'mathml')
  fc.assert(
    fc.property(word, word, active, fc.boolean(), (start, end, middle, isFound) => {
      const risky = `text/${start}${middle}${end}`
      const file = isFound ? { type: 'image/png', detectedType: risky } : { type: risky, detectedType: null }
      expect(answeredType(file)).toBe('application/octet-stream')
    }),
  )
  expect(answeredType({ type: 'application/pdf', detectedType: 'application/pdf' })).toBe('application/pdf')
})
