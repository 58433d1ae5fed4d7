// How tools are to be named, by the address, the header and the key.
import { expect, test } from 'vitest'
import { chosenToolNames } from '../../../gateway/auth/tool-names.ts'
import { codeOf } from '../support/checks.ts'

const ofKey = { toolNames: 'dots' } as const
const header = (value: string) => ({ 'x-mcp-tool-names': value })

test.each([
  ['', {}, 'dots'],
  ['', header('underscores'), 'underscores'],
  ['', header('underscore'), 'underscores'],
  ['', header('unreadable'), 'dots'],
  ['toolNames=auto', header('underscores'), 'auto'],
  ['tool%4eames=underscores', {}, 'underscores'],
  ['&toolNames=dots', header('underscore'), 'dots'],
])('the address "%s" and the headers %j choose %s, before the key', (query, headers, expected) => {
  expect(chosenToolNames(ofKey, query, headers)).toBe(expected)
})

test.each([
  ['toolNames=camel', 'invalid_parameter'],
  ['toolNames=', 'invalid_parameter'],
  ['toolNames=dots&toolNames=dots', 'invalid_parameter'],
  ['toolnames=dots', 'unknown_parameter'],
  ['toolNames=dots&x=1', 'unknown_parameter'],
  ['%zz', 'unknown_parameter'],
])('the address "%s" is refused: %s', (query, code) => {
  expect(codeOf(() => chosenToolNames(ofKey, query, {}))).toBe(code)
})
