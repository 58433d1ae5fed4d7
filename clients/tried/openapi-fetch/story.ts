import createClient from 'openapi-fetch'
import { tellStory } from '../story.ts'
import type { paths } from './generated/api.d.ts'

const client = createClient<paths>({
  baseUrl: process.env['BASE_URL']!,
  headers: { authorization: `Bearer ${process.env['API_KEY']}` },
})

async function read<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call
  if (data === undefined) throw error
  return data
}

await tellStory({
  list: (query) => read(client.GET('/api/v1/projects', { params: { query } })),
  create: (body) => read(client.POST('/api/v1/projects', { body })),
  archive: (id) => read(client.POST('/api/v1/projects/{id}/archive', { params: { path: { id } } })),
  get: (id) => read(client.GET('/api/v1/projects/{id}', { params: { path: { id } } })),
  update: (id, body) => read(client.PATCH('/api/v1/projects/{id}', { params: { path: { id } }, body })),
  problemOf: (problem) => problem,
})
