import { expect, test } from 'vitest'
import { fetchesMax, keyFetches } from '../../gateway/keys/key-fetches.ts'

test('many keys are asked for at once, many more wait, and whoever finds no room is told so at once', async () => {
  const answers: (() => void)[] = []
  const { fetch } = keyFetches((hash) => new Promise<string>((resolve) => answers.push(() => resolve(hash))), 2)
  const asked = Array.from({ length: fetchesMax + 2 }, (_, n) => fetch(`hash ${n}`))

  await expect(fetch('one more')).rejects.toMatchObject({
    code: 'unavailable',
    members: { retryAfterSeconds: 1, 'violated-policies': ['key-lookups'] },
  })

  expect(answers).toHaveLength(fetchesMax)
  for (const [at, one] of asked.entries()) {
    await expect.poll(() => answers.length).toBeGreaterThan(at)
    answers[at]?.()
    expect(await one).toBe(`hash ${at}`)
  }
})
