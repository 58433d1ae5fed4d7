import { expect, test } from 'vitest'
import { waitAtMost, withTimeout } from '../../runtime/timeout.ts'

const never = new Promise<never>(() => {})

test('work that is done in time resolves or rejects as it does by itself', async () => {
  expect(await withTimeout(5_000, Promise.resolve('done'), 'late')).toBe('done')
  await expect(withTimeout(5_000, Promise.reject(new Error('away')), 'late')).rejects.toThrow('away')
  await waitAtMost(5_000, Promise.resolve())
})

test('work that takes longer is rejected with the message, or no longer waited for', async () => {
  await expect(withTimeout(5, never, 'late')).rejects.toThrow('late')
  await expect(waitAtMost(5, never)).resolves.toBeUndefined()
})
