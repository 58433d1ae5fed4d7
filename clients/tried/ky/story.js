import ky from 'ky'
import { tellStory } from '../story.ts'

const api = ky.create({
  prefix: `${process.env.BASE_URL}/api/v1`,
  headers: { authorization: `Bearer ${process.env.API_KEY}` },
})

await tellStory({
  list: ({ status = [], labels = [], ...rest }) =>
    api('projects', { searchParams: { ...rest, ...(status.length > 0 && { status }), labels } }).json(),
  create: (json) => api.post('projects', { json }).json(),
  archive: (id) => api.post(`projects/${id}/archive`).json(),
  get: (id) => api(`projects/${id}`).json(),
  update: (id, json) => api.patch(`projects/${id}`, { json }).json(),
  problemOf: (error) => error.data,
})
