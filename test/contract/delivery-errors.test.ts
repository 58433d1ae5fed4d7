import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deliveryErrors } from '#contract/delivery-errors.ts'

test('the guide explains each code of a failed delivery, and no other', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const [, section = ''] = /\n## Deliveries\n([^]*?)\n## /.exec(guide) ?? []
  const rows = section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)

  expect(Object.fromEntries(Array.from(rows, ([, code, meaning]) => [code, meaning]))).toEqual(deliveryErrors)
})
