import { expect, test } from 'vitest'
import { rpcIdIn } from '../../../gateway/request/body.ts'

test.each([
  ['{"id":"a"}', 'a'],
  ['{"id":0}', 0],
  ['{"id":1.5}', null],
  ['{"id":9007199254740993}', null],
  ['{"id":null}', null],
  ['{"id":{}}', null],
  ['{"id":1,"id":2}', 2],
  ['[{"id":1}]', null],
  ['{', null],
])('the id in %s is %j', (text, id) => {
  expect(rpcIdIn(Buffer.from(text))).toBe(id)
})
