import got from 'got'
import { tellStory } from '../story.ts'

const api = got.extend({
  prefixUrl: `${process.env.BASE_URL}/api/v1`,
  headers: { authorization: `Bearer ${process.env.API_KEY}` },
})

await tellStory({
  list: ({ status = [], labels = [], ...rest }) => {
    const searchParams = new URLSearchParams(rest)
    for (const value of status) searchParams.append('status', value)
    for (const value of labels) searchParams.append('labels', value)
    return api('projects', { searchParams }).json()
  },
  create: (json) => api.post('projects', { json }).json(),
  archive: (id) => api.post(`projects/${id}/archive`).json(),
  get: (id) => api(`projects/${id}`).json(),
  update: (id, json) => api.patch(`projects/${id}`, { json }).json(),
  problemOf: ({ response }) => JSON.parse(response.body),
})
