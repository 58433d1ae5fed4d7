// The requests that go through the proxies: one path for each key.
import { randomUUID } from 'node:crypto'
import type { Key } from '../../product/keys.ts'
import type { Target } from '../../programs/load.ts'

export type Asking = { readonly expect: number; readonly target: (key: Key) => Target }

export const postedBytes = 2_048
const empty = JSON.stringify({ name: 'Bench', description: '' })
const document = JSON.stringify({ name: 'Bench', description: 'x'.repeat(postedBytes - empty.length) })

export const get: Asking = {
  expect: 200,
  target: ({ token }) => ({
    method: 'GET',
    path: `/api/v1/projects/${randomUUID()}`,
    headers: { authorization: `Bearer ${token}` },
  }),
}

export const post: Asking = {
  expect: 204,
  target: ({ token }) => ({
    method: 'POST',
    path: '/api/v1/projects',
    body: document,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }),
}
