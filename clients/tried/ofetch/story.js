import { ofetch } from 'ofetch'
import { tellStory } from '../story.ts'

const api = ofetch.create({
  baseURL: `${process.env.BASE_URL}/api/v1`,
  headers: { authorization: `Bearer ${process.env.API_KEY}` },
})

await tellStory({
  list: (query) => api('/projects', { query }),
  create: (body) => api('/projects', { method: 'POST', body }),
  archive: (id) => api(`/projects/${id}/archive`, { method: 'POST' }),
  get: (id) => api(`/projects/${id}`),
  update: (id, body) => api(`/projects/${id}`, { method: 'PATCH', body }),
  problemOf: (error) => error.data,
})
