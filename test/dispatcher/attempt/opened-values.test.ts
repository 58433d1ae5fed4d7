import { expect, test } from 'vitest'
import { keepingOpener } from '../../../dispatcher/attempt/build-request.ts'

/** Opens by reading, and writes down whose turn it was. */
function given(max = 10) {
  const [opened, clock] = [[] as string[], { ms: 0 }]
  const open = keepingOpener(
    (sealed, context) => {
      opened.push(context)
      if (sealed.length === 0) throw new Error('does not open')
      return Buffer.from(sealed).toString()
    },
    { max, keptMs: 60, now: () => clock.ms },
  )
  return { opened, clock, open: (text: string, context: string) => open(Buffer.from(text).toString('base64'), context) }
}

test('a value is opened once for all attempts of its time, and again when that is over', () => {
  const { opened, clock, open } = given()
  for (const ms of [0, 30, 59]) {
    clock.ms = ms
    expect(open('a', 'row 1')).toBe('a')
  }
  expect(opened).toEqual(['row 1'])
  clock.ms = 60
  expect(open('a', 'row 1')).toBe('a')
  expect(opened).toEqual(['row 1', 'row 1'])
})

test('a row that was sealed anew is opened anew, and equal bytes in another row are not taken for it', () => {
  const { opened, open } = given()
  expect([open('a', 'row 1'), open('b', 'row 1'), open('b', 'row 2')]).toEqual(['a', 'b', 'b'])
  expect(opened).toEqual(['row 1', 'row 1', 'row 2'])
})

test('no more are kept than the bound: the one that was opened first goes', () => {
  const { opened, open } = given(2)
  for (const row of ['1', '2', '3', '3', '2', '1']) open('a', row)
  expect(opened).toEqual(['1', '2', '3', '1'])
})

test('what does not open is tried again', () => {
  const { opened, open } = given()
  expect(() => open('', 'row 1')).toThrow('does not open')
  expect(() => open('', 'row 1')).toThrow('does not open')
  expect(open('a', 'row 1')).toBe('a')
  expect(opened).toEqual(['row 1', 'row 1', 'row 1'])
})
