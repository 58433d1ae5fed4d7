// The tools that are of no one collection: every token of their definitions is paid for by each conversation.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { tools } from '#contract/tools/catalogue.ts'
import { toolItemsMax } from '#contract/tools/objects.ts'

const across = tools.filter(({ toolset }) => toolset === 'context')

test('their definitions take at most 4,000 tokens together', () => {
  const sizes = across.map(
    ({ name, title, description, input, output, hints }) =>
      encode(JSON.stringify({ name, title, description, input, output, hints })).length,
  )

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4_000)
})

test('each says an example of its arguments, which fits its input', () => {
  for (const { name, description, input } of across) {
    const example = JSON.parse(/\{.*\}/.exec(description)?.[0] ?? 'null')
    expect([name, Object.keys(example).filter((key) => !(key in input.properties))]).toEqual([name, []])
  }
})

test('those that change something take an idempotency key, and those that destroy can be tried', () => {
  for (const { name, hints, input } of across) {
    expect([name, 'idempotencyKey' in input.properties]).toEqual([name, !hints.readOnly])
    if (hints.destructive) expect([name, 'dryRun' in input.properties]).toEqual([name, true])
  }
  expect(across.filter(({ hints }) => hints.destructive).map(({ name }) => name)).toEqual([
    'objects.bulk',
    'objects.delete',
  ])
})

test('what works on many takes as many as a call may cost at once', () => {
  expect(across.filter(({ cost }) => cost !== undefined).map(({ name }) => name)).toEqual([
    'objects.bulk',
    'objects.delete',
    'objects.restore',
  ])
  expect(toolItemsMax).toBeLessThanOrEqual(50)
})
